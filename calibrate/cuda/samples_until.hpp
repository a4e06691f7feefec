#pragma once
// Takes samples until they suffice, whatever takes them: the part of the GPU's sampler that knows no GPU.

#include "calibrate/sampling.hpp"

#include <functional>
#include <vector>

namespace ringsim::calibrate {

/// A clock of the host [s].
using HostClock = std::function<double()>;
[[nodiscard]] HostClock steady_clock();

/// What went on in one sample.
struct PartTimes {
  std::vector<double> times_s;  // of each part
  double clock_ratio = 1;       // the default clock of the SMs / the lowest seen around the sample
};

/// How samples of a GPU are taken: 3 warm up; at least 20 and at most 300 count, for at most 2 s, until the half width of the
/// median's interval is 0.5 %; thrown away are those around which the clock was below 75 % of the default.
[[nodiscard]] SamplingRule gpu_sampling_rule();

/// Of each of `parts` parts. Ends when all have enough.
[[nodiscard]] std::vector<Sampling> samples_until(const SamplingRule& rule, std::size_t parts, const HostClock& now_s,
                                                  const std::function<PartTimes()>& sample);

}  // namespace ringsim::calibrate
