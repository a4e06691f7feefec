#pragma once
// The page of `sweep`: the best point, pictures of how the time depends on what was varied, and all rows.

#include "models/scenario.hpp"
#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"
#include "reports/html/sweep_table.hpp"

#include <string>

namespace ringsim::reports {

/// Points that a page holds: more would be a page that nobody can open.
inline constexpr std::int64_t sweep_points_drawn = 20'000;

struct SweepPage {
  std::string name;  // of the scenario
  const SweepTable& table;
};

[[nodiscard]] HtmlPage sweep_page(const SweepPage& sweep, const PageOrigin& origin);

}  // namespace ringsim::reports
