#include "reports/html/suite_page.hpp"

#include "reports/humanise.hpp"
#include "reports/suite_charts.hpp"
#include "reports/suite_parts.hpp"
#include "reports/suite_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ringsim::reports {
namespace {

/// Signed errors by tens of per cent; what is beyond stands in the outermost bars.
BarChart error_bars(const calibrate::SuiteResult& result) {
  constexpr int tens_shown = 6;  // on either side
  std::array<double, 2 * tens_shown> counts{};
  for (const calibrate::SetResult& set : result.sets) {
    for (const calibrate::RowResult& row : set.rows) {
      if (!row.row.scored()) continue;
      const int ten = std::clamp(static_cast<int>(std::floor(row.error() * 10)), -tens_shown, tens_shown - 1);
      counts[static_cast<std::size_t>(ten + tens_shown)] += 1;
    }
  }
  BarChart chart{
      .words = {"Signed errors", "How many measurements are predicted how far off: (predicted - measured) / measured."},
      .row_header = "error",
      .rows = {},
      .value = {"measurements", Quantity::count, Scale::linear},
      .series = {{"measurements", Tone::series_1, {}}},
      .lines = {}};
  for (int ten = -tens_shown; ten < tens_shown; ++ten) {
    chart.rows.push_back(ten == -tens_shown      ? fmt::format("below {} %", 10 * (ten + 1))
                         : ten == tens_shown - 1 ? fmt::format("{} % and more", 10 * ten)
                                                 : fmt::format("{} to {} %", 10 * ten, 10 * (ten + 1)));
    chart.series[0].values.push_back(counts[static_cast<std::size_t>(ten + tens_shown)]);
  }
  return chart;
}

}  // namespace

HtmlPage suite_html(const calibrate::SuiteResult& result, const PageOrigin& origin) {
  HtmlPage page = empty_page("Published measurements", "Predicted against measured", origin);
  page.answer = suite_answer(result);
  page.result_json = render_suite_json(result);
  add_section(page, {"scatter",
                     "Predicted against measured",
                     "",
                     {Figure{"all", suite_scatter(result)}, Figure{"errors", error_bars(result)}}});
  add_section(page, {"sets", "Sets", "error: (predicted - measured) / measured time", {suite_summary_grid(result)}});
  if (Grid groups = suite_group_grid(result); !groups.rows.empty()) {
    add_section(page, {"groups",
                       "Rows that belong together",
                       "groups whose fastest row, and whose order, is predicted",
                       {std::move(groups)}});
  }
  add_section(page, {"variants", "Parts of the model left out", "what they buy", {suite_variant_grid(result)}});
  std::size_t number = 0;
  for (const calibrate::SetResult& set : result.sets) {
    HtmlSection section{fmt::format("set-{}", ++number), set.about.name, set.about.title, {}};
    section.blocks.emplace_back(
        Fields{{"source", set.about.source}, {"method", set.about.method}, {"fitted", set.about.fitted}});
    section.blocks.emplace_back(suite_row_grid(set, result, false));
    section.fold = fmt::format("All {} rows", human_count(static_cast<std::int64_t>(set.rows.size())));
    add_section(page, std::move(section));
  }
  return page;
}

}  // namespace ringsim::reports
