#include "reports/csv.hpp"
#include "reports/suite_report.hpp"

#include <fmt/format.h>

namespace ringsim::reports {

std::string render_suite_csv(const calibrate::SuiteResult& result) {
  std::string text;
  for (const calibrate::SetResult& set : result.sets) {
    for (const calibrate::RowResult& row : set.rows) {
      CsvRow line;
      line.add("set", set.about.name);
      line.add("id", row.row.id);
      line.add("group", row.row.group);
      line.add("metric", name_of(row.row.metric));
      line.add("scored", row.row.scored());
      line.add("why_not_scored", row.row.not_scored);
      line.add("published", row.row.measured);
      line.add("unit", name_of(row.row.unit));
      line.add("measured_s", row.measured_s);
      line.add("predicted_s", row.predicted_s.front());
      line.add("error", row.error());
      line.add("predicted_low_s", row.low_s);
      line.add("predicted_high_s", row.high_s);
      for (std::size_t v = 1; v < result.variants.size(); ++v) {
        line.add(fmt::format("error_{}", result.variants[v].name), row.error(v));
      }
      line.add("scenario_hash", row.scenario_hash);
      if (text.empty()) text = line.header();
      text += line.row();
    }
  }
  return text;
}

}  // namespace ringsim::reports
