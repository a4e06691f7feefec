#include "calibrate/cuda/samples_until.hpp"

#include "kernels/cuda/executor/clock.hpp"

#include <utility>

namespace ringsim::calibrate {

HostClock steady_clock() { return cuda::now_s; }

SamplingRule gpu_sampling_rule() {
  SamplingRule rule;
  rule.warmup = 3;
  rule.minimum = 20;
  rule.maximum = 300;
  rule.target = 0.005;
  rule.budget_s = 2;
  rule.most_throttled = 1 / 0.75 - 1;
  return rule;
}

std::vector<Sampling> samples_until(const SamplingRule& rule, std::size_t parts, const HostClock& now_s,
                                    const std::function<PartTimes()>& sample) {
  const double began_s = now_s();
  return sample_until_finished(rule, parts, [&] {
    PartTimes times = sample();
    RawSample common;
    common.reference_ratio = times.clock_ratio;
    common.elapsed_s = now_s() - began_s;
    return PartsSample{std::move(times.times_s), common};
  });
}

}  // namespace ringsim::calibrate
