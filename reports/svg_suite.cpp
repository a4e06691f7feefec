#include "reports/suite_report.hpp"
#include "reports/svg_scatter.hpp"

namespace ringsim::reports {

std::string render_suite_svg(const calibrate::SuiteResult& result) {
  Scatter plot{.title = "Predicted against measured times of published measurements, with a band of 10 %",
               .x_label = "measured [s]",
               .y_label = "predicted [s]",
               .band = 0.1,
               .series = {}};
  for (const calibrate::SetResult& set : result.sets) {
    ScatterSeries series{set.about.name, {}};
    for (const calibrate::RowResult& row : set.rows) {
      if (row.row.scored()) series.points.emplace_back(row.measured_s, row.predicted_s.front());
    }
    if (!series.points.empty()) plot.series.push_back(std::move(series));
  }
  return render_svg(plot);
}

}  // namespace ringsim::reports
