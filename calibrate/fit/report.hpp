#pragma once
// How well a group of points is described by what was fitted to it. Nothing is averaged away: the worst point has a name.

#include "models/profile.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct FittedParameter {
  std::string name;
  double value = 0;
  std::string unit;  // SI; "" for a ratio
  double relative_uncertainty = 0;
  bool fitted = true;  // false: taken from elsewhere, since the points do not determine it
};

/// Residuals are predicted / measured − 1: above 0 where the fit is too slow.
struct Residual {
  std::string point;  // the point's source
  double relative = 0;
};

struct FitReport {
  std::string name;  // "attention forward", "link host-memory", ...
  std::vector<FittedParameter> parameters;
  std::vector<Residual> residuals;  // of every point, in the points' order
  // Of their absolute values; 0 without points.
  double median_residual = 0;
  double p90_residual = 0;
  double worst_residual = 0;
  std::string worst_point;
  double bias = 0;    // median of the signed ones
  std::string range;  // for people: what the points cover
};

/// Fills what follows from `residuals`.
void summarise(FitReport& report);

/// 95 % of the points' |residual| are at most this; 0 without points.
[[nodiscard]] double scatter_95(const FitReport& report);

/// A profile states at most ±90 %: at 100 % the fast end of a rate would be endless (moved() in models/profile_parameters.hpp).
inline constexpr double most_uncertainty = 0.9;
/// `uncertainty`, at most that, with a note where it is cut.
[[nodiscard]] double stated_uncertainty(double uncertainty, const std::string& what, std::vector<std::string>& notes);

/// "128 ... 4096" or "64".
[[nodiscard]] std::string text_of(const Range& range);
/// The smallest range that holds both.
[[nodiscard]] Range hull(const Range& range, double value);

}  // namespace ringsim::calibrate
