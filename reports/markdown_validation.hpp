#pragma once
// `validate --format markdown`: the text report as GitHub tables.

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"

#include <string>

namespace ringsim::reports {

/// `tolerance`: 0.1 is 10 %.
[[nodiscard]] std::string render_markdown(const calibrate::Comparison& comparison,
                                          const calibrate::Diagnosis& diagnosis, double tolerance);

}  // namespace ringsim::reports
