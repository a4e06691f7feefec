#include "reports/suite_charts.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace ringsim::reports {

ScatterChart suite_scatter(const calibrate::SuiteResult& result) {
  constexpr std::array<Tone, 8> tones = {Tone::series_1, Tone::series_2, Tone::series_3, Tone::series_4,
                                         Tone::series_5, Tone::series_6, Tone::series_7, Tone::series_8};
  ScatterChart chart{
      .words = {"Predicted against measured times of published measurements",
                "Each point a measurement; on the diagonal a prediction is right, in the band it is within 10 %."},
      .x = {"measured", Quantity::seconds, Scale::logarithmic},
      .y = {"predicted", Quantity::seconds, Scale::logarithmic},
      .band = 0.1,
      .series = {}};
  for (const calibrate::SetResult& set : result.sets) {
    ScatterGroup group{.name = set.about.name, .tone = tones[chart.series.size() % tones.size()]};
    for (const calibrate::RowResult& row : set.rows) {
      if (row.row.scored()) group.points.push_back({row.measured_s, row.predicted_s.front()});
    }
    if (!group.points.empty()) chart.series.push_back(std::move(group));
  }
  return chart;
}

}  // namespace ringsim::reports
