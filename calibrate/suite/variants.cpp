#include "calibrate/suite/variants.hpp"

#include <array>

namespace ringsim::calibrate {
namespace {

void whole(Profile& /*profile*/) {}

// Everything by which kernels and transfers of a rank hinder each other.
void without_interference(Profile& profile) {
  profile.contest_for_multiprocessors = false;
  profile.sm_kernel.reset();
  profile.copy_engine.reset();
}

void without_merge(Profile& profile) {
  profile.merge_traffic.value = 0;
  profile.partial_merge_traffic.reset();  // as a whole one: 0
}

void without_both(Profile& profile) {
  without_interference(profile);
  without_merge(profile);
}

constexpr std::array variants = {
    ModelVariant{"full", "the whole model", whole},
    ModelVariant{"no-interference", "no interference", without_interference},
    ModelVariant{"no-merge", "no merge", without_merge},
    ModelVariant{"neither", "neither", without_both},
};

}  // namespace

std::span<const ModelVariant> model_variants() { return variants; }

}  // namespace ringsim::calibrate
