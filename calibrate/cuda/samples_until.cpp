#include "calibrate/cuda/samples_until.hpp"

#include <algorithm>
#include <chrono>

namespace ringsim::calibrate {

HostClock steady_clock() {
  return [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
}

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
  std::vector<Sampling> samplings(parts, Sampling(rule));
  const double began_s = now_s();
  const auto finished = [&] {
    return std::all_of(samplings.begin(), samplings.end(), [](const Sampling& s) { return s.finished(); });
  };
  while (!finished()) {
    const PartTimes times = sample();
    RawSample raw;
    raw.reference_ratio = times.clock_ratio;
    raw.elapsed_s = now_s() - began_s;
    for (std::size_t part = 0; part < parts; ++part) {
      raw.wall_s = times.times_s.at(part);
      samplings[part].add(raw);
    }
  }
  return samplings;
}

}  // namespace ringsim::calibrate
