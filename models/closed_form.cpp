#include "models/closed_form.hpp"

#include <algorithm>
#include <vector>

namespace ringsim {

Duration forward_makespan(std::int64_t ring, std::int64_t buffers, const ForwardTimes& t, RateShares shares) {
  if (ring == 1) return t.first;
  const auto n = static_cast<double>(ring);
  if (buffers == 2 || ring == 2) {
    return shares.both(t.first, t.hop) + (n - 2) * shares.both(t.middle, t.hop) + t.last;
  }
  return std::max(
             {t.first + (n - 2) * t.middle, (n - 1) * t.hop, t.first + (n - 3) * t.hop, t.hop + (n - 2) * t.middle}) +
         t.last;
}

Duration backward_makespan(std::int64_t ring, const BackwardTimes& t, RateShares shares) {
  if (ring == 1) return t.first;
  const auto n = static_cast<double>(ring);
  return shares.both(t.first, t.first_hop) + (n - 2) * (shares.both(t.middle, t.middle_hop) + t.middle_add) +
         shares.both(t.last, t.last_hop) + t.last_add + t.home_hop;
}

namespace {

// f: when the transfer gets the SMs, for a transfer ready at d and a kernel and merge that start at 0.
Duration granted(Duration d, Duration kernel, Duration merge) {
  const Duration start{};
  if (start < d && d < kernel) return kernel;
  if (kernel < d && d < kernel + merge) return kernel + merge;
  return d;
}

}  // namespace

Duration contested_forward_makespan(std::int64_t ring, const ContestedForwardTimes& t) {
  if (ring == 1) return t.first_kernel;
  Duration d = t.event_latency;
  Duration now;
  const auto advance = [&](Duration kernel, Duration merge) {
    const Duration arrived = granted(d, kernel, merge) + t.hop;
    const Duration compute = kernel + merge;
    const Duration step = std::max(compute, arrived + t.event_latency);
    d = std::max(arrived, compute + t.event_latency) - step;
    now += step;
  };
  advance(t.first_kernel, {});
  // The middle steps repeat as soon as d does; `starts` holds the time at which each d was first seen.
  std::vector<std::pair<Duration, Duration>> starts;
  std::int64_t left = ring - 2;
  bool jumped = false;
  while (left > 0) {
    if (!jumped) {
      const auto seen = std::find_if(starts.begin(), starts.end(), [&](const auto& s) { return s.first == d; });
      if (seen != starts.end()) {
        const std::int64_t period = starts.end() - seen;
        const std::int64_t periods = left / period;
        now += static_cast<double>(periods) * (now - seen->second);
        left %= period;
        jumped = true;
        continue;
      }
      starts.emplace_back(d, now);
    }
    advance(t.kernel, t.merge);
    --left;
  }
  return now + t.kernel + t.merge;
}

Duration contested_backward_makespan(std::int64_t ring, const ContestedBackwardTimes& t) {
  if (ring == 1) return t.first_kernel;
  const auto step = [&](Duration kernel, Duration merge, Duration hop) {
    return std::max(kernel + merge, granted(t.event_latency, kernel, merge) + hop + t.event_latency);
  };
  return step(t.first_kernel, {}, t.first_hop) +
         static_cast<double>(ring - 2) * (step(t.kernel, t.resident_merge, t.middle_hop) + t.travelling_merge) +
         step(t.kernel, t.resident_merge, t.last_hop) + t.travelling_merge + t.event_latency + t.home_hop +
         t.event_latency;
}

}  // namespace ringsim
