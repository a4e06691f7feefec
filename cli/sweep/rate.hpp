#pragma once
// How fast a sweep goes, and how long it still takes: over the last seconds, since points differ.

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>

namespace ringsim::cli {

class SweepRate {
 public:
  SweepRate(std::int64_t first, std::int64_t points);
  /// Part that is done and what to say of it, not more than ten times a second.
  [[nodiscard]] std::optional<std::pair<double, std::string>> line(std::int64_t done);

 private:
  using Clock = std::chrono::steady_clock;
  struct Sample {
    Clock::time_point at;
    std::int64_t done;
  };
  std::int64_t points_;
  std::deque<Sample> samples_;
};

/// "1,200 of 5,000 points, 310 points/s, 12 s left".
[[nodiscard]] std::string rate_text(std::int64_t done, std::int64_t points, double points_per_s);

}  // namespace ringsim::cli
