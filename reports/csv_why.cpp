#include "reports/csv.hpp"
#include "reports/why_report.hpp"

namespace ringsim::reports {
namespace {

CsvRow head(const sim::Explanation& e, const char* of, const std::string& name) {
  CsvRow row;
  row.add("scenario_name", e.prediction.scenario_name);
  row.add("scenario_hash", e.prediction.scenario_hash);
  row.add("makespan_s", e.makespan_s);
  row.add("of", of);
  row.add("name", name);
  return row;
}

}  // namespace

std::string render_why_csv(const WhyReport& report) {
  const sim::Explanation& e = report.explanation;
  std::string text;
  const auto add = [&](const CsvRow& row) { text += text.empty() ? row.text() : row.row(); };
  for (const sim::TimeShare& s : e.shares) {
    CsvRow row = head(e, "share", s.name);
    row.add("part", sim::name_of(s.part));
    row.add("seconds", s.seconds);
    row.add("share", s.share);
    for (const char* empty : {"key", "value", "unit", "elasticity_slower", "elasticity_faster", "saved_by_10_percent",
                              "saved_by_factor_2"}) {
      row.add(empty, "");
    }
    add(row);
  }
  for (const sim::Sensitivity& s : e.sensitivities) {
    CsvRow row = head(e, "parameter", s.parameter.name);
    for (const char* empty : {"part", "seconds", "share"}) row.add(empty, "");
    row.add("key", s.parameter.key);
    row.add("value", s.parameter.value);
    row.add("unit", s.parameter.unit);
    row.add("elasticity_slower", s.slower);
    row.add("elasticity_faster", s.faster);
    row.add("saved_by_10_percent", s.saved_by_tenth);
    row.add("saved_by_factor_2", s.saved_by_double);
    add(row);
  }
  return text;
}

}  // namespace ringsim::reports
