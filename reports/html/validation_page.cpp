#include "reports/html/validation_page.hpp"

#include "reports/html/titled.hpp"
#include "reports/html/validation_charts.hpp"
#include "reports/humanise.hpp"
#include "reports/json_validation.hpp"
#include "reports/measurement_parts.hpp"
#include "reports/validation_parts.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::reports {
namespace {

std::vector<KeyFigure> key_figures(const calibrate::Comparison& c) {
  const calibrate::ComparedQuantity& judged = c.judged();
  const std::string name = judged.name();
  std::vector<KeyFigure> figures = {
      {name + ", measured", "quantities.0.measured_s", judged.measured, human_time(judged.measured),
       c.measured_low_s && c.measured_high_s
           ? fmt::format("{} to {}", human_time(*c.measured_low_s), human_time(*c.measured_high_s))
           : ""},
      {name + ", predicted", "quantities.0.predicted_s", judged.predicted, human_time(judged.predicted),
       c.predicted_low_s && c.predicted_high_s
           ? fmt::format("{} to {}", human_time(*c.predicted_low_s), human_time(*c.predicted_high_s))
           : ""}};
  if (judged.error) {
    figures.push_back({"error", "quantities.0.error", *judged.error, human_signed_percent(*judged.error),
                       "(predicted - measured) / measured"});
  }
  return figures;
}

HtmlSection operations_section(const calibrate::Comparison& c) {
  HtmlSection section{"operations", "Operations", "totals over all ranks, and medians; transfers: in flight", {}};
  if (c.groups.empty()) return section;
  section.blocks.emplace_back(Figure{"scatter", operations_chart(c)});
  section.blocks.emplace_back(compared_operation_grid(c));
  if (Grid errors = operation_error_grid(c); !errors.rows.empty()) {
    section.blocks.emplace_back(Paragraph{"Errors of single operations, without sign but for the worst:"});
    section.blocks.emplace_back(std::move(errors));
  }
  return section;
}

HtmlSection list_section(const char* id, const char* title, const std::vector<std::string>& items) {
  HtmlSection section{id, title, "", {}};
  for (const std::string& item : items) section.blocks.emplace_back(Paragraph{item});
  return section;
}

}  // namespace

HtmlPage validation_page(const ValidationPage& v, const PageOrigin& origin) {
  const calibrate::Comparison& c = v.comparison;
  HtmlPage page = empty_page(c.scenario_name, "Predicted against measured", origin);
  page.answer = without_name(validated_answer(c), c.scenario_name);
  page.verdicts = {tolerance_verdict(c, v.tolerance)};
  if (Verdict interval = interval_verdict(c); !interval.text.empty()) page.verdicts.push_back(std::move(interval));
  page.figures = key_figures(c);
  page.result_json = render_json(c, v.diagnosis, v.tolerance);

  add_section(page, warnings_of(c.warnings));
  HtmlSection quantities{"quantities", "Quantities", "error: (predicted - measured) / measured", {}};
  if (BarChart times = compared_times_chart(c); !times.series.empty()) {
    quantities.blocks.emplace_back(Figure{"times", std::move(times)});
  }
  quantities.blocks.emplace_back(quantity_grid(c));
  add_section(page, std::move(quantities));
  add_section(page, operations_section(c));
  if (!v.measurement.timeline.spans.empty()) {
    add_section(page, {"timeline",
                       "Timeline",
                       "measured and predicted",
                       {Figure{"timeline-both", compared_timeline(v.measurement.timeline, v.predicted)}}});
  }
  HtmlSection diagnosis = list_section("diagnosis", "What the measured run shows", v.diagnosis.sentences);
  if (Grid grid = diagnosis_grid(v.diagnosis); !grid.rows.empty()) diagnosis.blocks.emplace_back(std::move(grid));
  add_section(page, std::move(diagnosis));
  add_section(page, list_section("one-sided", "Not compared", one_sided_sentences(c)));
  add_section(page, list_section("notes", "Notes", c.notes));
  add_section(page, {"setup", "Setup", "", {validated_setup_fields(c)}});
  add_section(page, scenario_section(v.scenario));
  return page;
}

}  // namespace ringsim::reports
