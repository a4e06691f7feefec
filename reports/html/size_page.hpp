#pragma once
// The page of `size`: the plan to take, how time and GPUs trade, which degrees do and why the others do not.

#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"
#include "reports/size_report.hpp"
#include "reports/solve_report.hpp"
#include "sim/curves/degree_map.hpp"

namespace ringsim::reports {

/// `degrees`: of the same search; null: not known.
[[nodiscard]] HtmlPage size_html(const SizeReport& report, const sim::DegreeMap* degrees, const PageOrigin& origin);

/// Of an inverse question: the answer and where it comes from.
[[nodiscard]] HtmlPage solve_html(const SolveReport& report, const PageOrigin& origin);

}  // namespace ringsim::reports
