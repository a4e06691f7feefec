#pragma once
// `calibrate`: the profile that was fitted, and how well it describes the points, for people and for machines.

#include "calibrate/fit/profile.hpp"
#include "calibrate/points.hpp"
#include "reports/style.hpp"

#include <string>

namespace ringsim::reports {

/// Where the points come from, the parameters with their uncertainty, residuals of every group with its worst point, what the
/// points cover, samples that were discarded, notes.
[[nodiscard]] std::string render_text(const calibrate::FitResult& fit, const calibrate::Points& points,
                                      const Style& style);

/// The same as one object: kind "ringsim-calibration"; every residual, full precision. Residuals are predicted / measured − 1.
[[nodiscard]] std::string render_json(const calibrate::FitResult& fit, const calibrate::Points& points);

}  // namespace ringsim::reports
