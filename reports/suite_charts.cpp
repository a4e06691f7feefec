#include "reports/suite_charts.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <utility>

namespace ringsim::reports {

ScatterChart suite_scatter(const calibrate::SuiteResult& result) {
  ScatterChart chart{.words = {"Predicted against measured times of published measurements", ""},
                     .x = {"measured", Quantity::seconds, Scale::logarithmic},
                     .y = {"predicted", Quantity::seconds, Scale::logarithmic},
                     .band = 0.1,
                     .series = {}};
  std::size_t points = 0;
  for (const calibrate::SetResult& set : result.sets) {
    ScatterGroup group{.name = set.about.name, .tone = series_tone(chart.series.size())};
    for (const calibrate::RowResult& row : set.rows) {
      if (row.row.scored()) group.points.push_back({row.measured_s, row.predicted_s.front(), row.row.id});
    }
    points += group.points.size();
    if (!group.points.empty()) chart.series.push_back(std::move(group));
  }
  chart.words.description = fmt::format(
      "{} measurements of {} sets, each a point. On the diagonal a prediction is right; the band is 10 % on either "
      "side of it.",
      points, chart.series.size());
  return chart;
}

}  // namespace ringsim::reports
