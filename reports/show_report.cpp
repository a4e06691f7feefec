#include "reports/show_report.hpp"

#include "reports/csv.hpp"
#include "reports/json_parts.hpp"
#include "reports/table.hpp"

namespace ringsim::reports {
std::string render_show_json(const Scenario& scenario) {
  Json list = Json::array();
  for (const ResolvedValue& value : scenario.resolved) {
    list.push_back({{"key", value.key}, {"value", value.text}, {"origin", value.origin}});
  }
  return json_text(list);
}

std::string render_show_csv(const Scenario& scenario) {
  std::string text = csv_line({"key", "value", "origin"});
  for (const ResolvedValue& value : scenario.resolved) text += csv_line({value.key, value.text, value.origin});
  return text;
}

std::string render_show_markdown(const Scenario& scenario) {
  Grid grid{{{"key", Align::left}, {"value", Align::left}, {"from", Align::left}}, {}};
  for (const ResolvedValue& value : scenario.resolved) grid.rows.push_back({value.key, value.text, value.origin});
  return markdown_table(grid);
}

}  // namespace ringsim::reports
