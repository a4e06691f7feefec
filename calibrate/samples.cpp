#include "calibrate/samples.hpp"

namespace ringsim::calibrate {
namespace {

template <class... F>
struct Visitor : F... {
  using F::operator()...;
};
template <class... F>
Visitor(F...) -> Visitor<F...>;

}  // namespace

SampleSet samples_of(const Sampling& sampling) { return {sampling.counted(), sampling.discarded()}; }

std::vector<const Timing*> timings(const AnyPoint& point) {
  return std::visit(Visitor{[](const InterferencePoint& p) {
                              return std::vector<const Timing*>{&p.kernel_alone, &p.kernel_beside, &p.transfer_alone,
                                                                &p.transfer_beside};
                            },
                            [](const auto& p) { return std::vector<const Timing*>{&p.time}; }},
                    point);
}

const std::string& Benchmark::name() const {
  return std::visit([](const auto& p) -> const std::string& { return p.source; }, point);
}

Points points_of(const Samples& samples) {
  Points points;
  points.provenance = samples.provenance;
  points.notes = samples.notes;
  points.provenance.discarded.clear();
  for (const Benchmark& benchmark : samples.benchmarks) {
    std::visit(Visitor{[&](const AttentionPoint& p) { points.attention.push_back(p); },
                       [&](const MergePoint& p) { points.merge.push_back(p); },
                       [&](const TransferPoint& p) { points.transfer.push_back(p); },
                       [&](const GemmPoint& p) { points.gemm.push_back(p); },
                       [&](const StreamPoint& p) { points.stream.push_back(p); },
                       [&](const InterferencePoint& p) { points.interference.push_back(p); },
                       [&](const LaunchPoint& p) { points.launch.push_back(p); },
                       [&](const AttentionVariantPoint& p) { points.variants.push_back(p); },
                       [&](const CopyPoint& p) { points.copy.push_back(p); },
                       [&](const OverheadPoint& p) { points.overhead.push_back(p); }},
               benchmark.point);
    for (const SampleSet& set : benchmark.sets) {
      for (const auto& [reason, count] : set.discarded) points.provenance.discarded[reason] += count;
    }
  }
  return points;
}

}  // namespace ringsim::calibrate
