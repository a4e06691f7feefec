#pragma once
// The page of `size`: the plan to take, how time and GPUs trade, which degrees do and why the others do not.

#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"
#include "reports/size_report.hpp"
#include "reports/solve_report.hpp"

namespace ringsim::reports {

[[nodiscard]] HtmlPage size_html(const SizeReport& report, const PageOrigin& origin);

/// Of an inverse question: the answer and where it comes from.
[[nodiscard]] HtmlPage solve_html(const SolveReport& report, const PageOrigin& origin);

}  // namespace ringsim::reports
