#include "reports/html/scenario_section.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::reports {

HtmlSection scenario_section(const Scenario& scenario) {
  HtmlSection section{"scenario", "Scenario", "every value, and where it comes from", {}};
  if (scenario.resolved.empty()) return section;
  Grid grid{{{"key", Align::left}, {"value", Align::left}, {"from", Align::left}}, {}};
  for (const ResolvedValue& value : scenario.resolved) grid.rows.push_back({value.key, value.text, value.origin});
  section.blocks.emplace_back(std::move(grid));
  section.fold = fmt::format("All {} values", human_count(static_cast<std::int64_t>(scenario.resolved.size())));
  return section;
}

HtmlPage empty_page(std::string title, std::string kind, const PageOrigin& origin) {
  HtmlPage page{.title = std::move(title),
                .kind = std::move(kind),
                .answer = {},
                .verdicts = {},
                .figures = {},
                .sections = {},
                .result_json = {},
                .command = origin.command,
                .made_by = origin.made_by,
                .interactive = origin.interactive};
  return page;
}

}  // namespace ringsim::reports
