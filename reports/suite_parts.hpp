#pragma once
// What the reports on published measurements have in common.

#include "calibrate/suite/suite.hpp"
#include "reports/table.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// "412 published measurements in 9 sets predicted; 8 of 9 targets are met."
[[nodiscard]] std::string suite_answer(const calibrate::SuiteResult& result);

/// A line a set: rows, median, 90 % quantile, worst, bias, and whether its targets are met.
[[nodiscard]] Grid suite_summary_grid(const calibrate::SuiteResult& result);
/// A line a set that has groups: in how many the fastest row and the order are predicted.
[[nodiscard]] Grid suite_group_grid(const calibrate::SuiteResult& result);
/// A line a set: median and 90 % quantile of every variant.
[[nodiscard]] Grid suite_variant_grid(const calibrate::SuiteResult& result);
/// A line a row; `variants`: with the errors of all variants of the model, which make it wide.
[[nodiscard]] Grid suite_row_grid(const calibrate::SetResult& set, const calibrate::SuiteResult& result, bool variants);

/// "median 5 %, 90 % within 15 %".
[[nodiscard]] std::string target_text(const PublishedTarget& target);
/// What of the target is missed; empty: it is met, or there is none.
[[nodiscard]] std::vector<std::string> missed_targets(const PublishedTarget& target,
                                                      const calibrate::SuiteScore& score);
/// The same in a line, with what is missed.
[[nodiscard]] std::string target_verdict(const PublishedTarget& target, const calibrate::SuiteScore& score);
/// "12 of 14".
[[nodiscard]] std::string of_groups(std::int64_t right, std::int64_t groups);

}  // namespace ringsim::reports
