#pragma once
// What `validate` has to say, as sentences, tables and fields; text_validation and markdown_validation lay them out.

#include "calibrate/compare/comparison.hpp"
#include "reports/table.hpp"
#include "reports/verdicts.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// "NAME: predicted 21.00 ms, measured 20.12 ms: the prediction is 4.4 % too long."
[[nodiscard]] std::string validated_answer(const calibrate::Comparison& comparison);

/// Whether the judged quantity, which it names, is within `tolerance` (0.1: 10 %).
[[nodiscard]] Verdict tolerance_verdict(const calibrate::Comparison& comparison, double tolerance);

/// Whether the measured makespan lies in the interval predicted; no text where there is none.
[[nodiscard]] Verdict interval_verdict(const calibrate::Comparison& comparison);

/// Both sides: where measured, predicted with what.
[[nodiscard]] Fields validated_setup_fields(const calibrate::Comparison& comparison);

/// Figures of the whole run, measured and predicted, with the signed error; "undefined" where it would be a share of zero.
[[nodiscard]] Grid quantity_grid(const calibrate::Comparison& comparison);

/// Operations by name: totals and medians with their signed error.
[[nodiscard]] Grid compared_operation_grid(const calibrate::Comparison& comparison);

/// Errors of single operations; no rows where they were not matched one by one.
[[nodiscard]] Grid operation_error_grid(const calibrate::Comparison& comparison);

/// A sentence for operations that one side alone has.
[[nodiscard]] std::vector<std::string> one_sided_sentences(const calibrate::Comparison& comparison);

}  // namespace ringsim::reports
