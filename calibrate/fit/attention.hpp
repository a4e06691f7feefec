#pragma once
// Fits the attention costs of models/cost.hpp: saturated rate F, half_depth d, half_rows r of a pass, and the launch τ where
// nothing else gives it. Least squares on log(predicted / measured), every point with the same weight, since a small
// kernel counts as much as a large one where a ring runs many of them.
//
// A parameter that the points do not determine keeps the base's value, or 0:
//   half_depth   needs 3 points and columns that differ
//   half_rows    needs 4 points and rows that are not always in the same ratio to columns: (rows + r)(columns + d) is
//                symmetric in r and d where they are
//   each         needs a 95 % interval that does not reach down to 0
//
// Uncertainty, one-sided 95 %: Student's t times the standard error; of the rate √((t·error)² + scatter²), where scatter is
// what 95 % of the |residuals| of kernels at half of the rate or more stay below: the next kernel's shape is off as these are,
// not as the mean is. Of a single point, which has none, the base's uncertainty stands for it.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// What is given and not fitted.
struct AttentionGiven {
  std::optional<Calibrated<Duration>> launch;  // absent: fitted
  std::int64_t query_tile = 128;
  std::int64_t key_tile = 128;
  std::optional<std::int64_t> multiprocessors;
  std::optional<AttentionCost> base_forward;  // for what the points do not determine
  std::optional<AttentionCost> base_backward;
  AttentionCost known_forward;  // what is no part of a fit: blocks, and sustained, which one kernel alone does not show
  AttentionCost known_backward;
  Origin origin = Origin::measured;
  std::string source;
};

/// Of the passes for which there are points.
struct AttentionFit {
  std::optional<AttentionCost> forward;
  std::optional<AttentionCost> backward;
  Calibrated<Duration> launch;
  bool launch_fitted = false;
  std::vector<FitReport> reports;  // a pass each
  std::vector<std::string> notes;
};

[[nodiscard]] AttentionFit fit_attention(const std::vector<AttentionPoint>& points, const AttentionGiven& given);

/// The range of all points, both passes; absent without points.
[[nodiscard]] std::optional<AttentionRange> range_of(const std::vector<AttentionPoint>& points);

}  // namespace ringsim::calibrate
