#pragma once
// Published measurements against their predictions (calibrate/suite/suite.hpp), for people and for programs.

#include "calibrate/suite/suite.hpp"
#include "reports/style.hpp"

#include <string>

namespace ringsim::reports {

/// A line a set with its targets, and what variants of the model come to; `rows`: every row, too.
[[nodiscard]] std::string render_suite_text(const calibrate::SuiteResult& result, bool rows, const Style& style);

/// A row a measurement.
[[nodiscard]] std::string render_suite_csv(const calibrate::SuiteResult& result);

/// docs/ACCURACY.md, whole: summary, what parts of the model buy, a section a set with all its rows.
[[nodiscard]] std::string render_suite_markdown(const calibrate::SuiteResult& result);

/// Predicted against measured times of the scored rows, as a picture.
[[nodiscard]] std::string render_suite_svg(const calibrate::SuiteResult& result);

/// Everything: sets, scores, rows.
[[nodiscard]] std::string render_suite_json(const calibrate::SuiteResult& result);

}  // namespace ringsim::reports
