#pragma once
// `validate --format json`: one object, complete and exact: kind "ringsim-validation".

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"

#include <string>

namespace ringsim::reports {

/// Errors are signed fractions, (predicted − measured) / what `error_of` says; null where that is zero. `tolerance`: 0.1 is 10 %.
[[nodiscard]] std::string render_json(const calibrate::Comparison& comparison, const calibrate::Diagnosis& diagnosis,
                                      double tolerance);

/// "measured" | "makespan" | "difference".
[[nodiscard]] const char* name_of(calibrate::ErrorOf error_of);

}  // namespace ringsim::reports
