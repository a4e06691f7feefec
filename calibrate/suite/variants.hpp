#pragma once
// The same predictions with parts of the model left out, to see what each of them buys. A variant is a change of the profile;
// what is left out has no effect then, as in a machine without it.

#include "models/profile.hpp"

#include <span>
#include <string_view>

namespace ringsim::calibrate {

struct ModelVariant {
  std::string_view name;   // "no-merge", for machines
  std::string_view title;  // for people
  void (*apply)(Profile&) = nullptr;
};

/// The whole model first.
[[nodiscard]] std::span<const ModelVariant> model_variants();

}  // namespace ringsim::calibrate
