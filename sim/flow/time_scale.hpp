#pragma once
// The simulation library's clock beside the run's.
//
// The library takes moments that are less than 1e-12 of its time units apart for one, and a clock whose last place is wider
// than that can stand still. So its unit is not the second but a power of two of it, chosen so that the run takes less than
// 1,024 units: times and bandwidths are converted without any rounding, and moments are told apart to 1e-15 of the run.

#include <algorithm>
#include <cmath>

namespace ringsim::sim::flow {

class TimeScale {
 public:
  /// For runs of up to about `longest_s` seconds; finite.
  explicit TimeScale(double longest_s) {
    int exponent = 0;
    if (longest_s > 0) std::frexp(longest_s, &exponent);
    constexpr int extreme = 1000;  // the factor and its inverse are normal numbers
    exponent = std::clamp(units_exponent - exponent, -extreme, extreme);
    units_per_s_ = std::ldexp(1.0, exponent);
    s_per_unit_ = std::ldexp(1.0, -exponent);
  }

  [[nodiscard]] double units(double seconds) const { return seconds * units_per_s_; }
  [[nodiscard]] double seconds(double units) const { return units * s_per_unit_; }
  /// B/s as bytes a unit.
  [[nodiscard]] double bandwidth(double bytes_per_s) const { return bytes_per_s * s_per_unit_; }

 private:
  static constexpr int units_exponent = 10;
  double units_per_s_ = 1;
  double s_per_unit_ = 1;
};

}  // namespace ringsim::sim::flow
