#pragma once
// `validate` for people on a terminal.

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"
#include "reports/style.hpp"

#include <string>

namespace ringsim::reports {

/// The answer and the verdicts, then setup, quantities, operations, the errors of single operations, what one side alone has,
/// the diagnosis of the measured run, warnings and notes. `tolerance`: 0.1 is 10 %.
[[nodiscard]] std::string render_text(const calibrate::Comparison& comparison, const calibrate::Diagnosis& diagnosis,
                                      double tolerance, const Style& style);

}  // namespace ringsim::reports
