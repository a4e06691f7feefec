#include "reports/charts/chart_check.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <string_view>

namespace ringsim::reports {
namespace {

class ChartCheck {
 public:
  explicit ChartCheck(const ChartWords& words) : title_(words.title) {}

  void that(bool holds, std::string_view complaint) const {
    if (!holds) throw std::logic_error(fmt::format("chart \"{}\": {}", title_, complaint));
  }
  void finite(double value, std::string_view what) const {
    if (!std::isfinite(value)) that(false, fmt::format("{} is {}", what, value));
  }
  void on_axis(double value, const ChartAxis& axis) const {
    finite(value, axis.label);
    that(axis.scale == Scale::linear || value > 0, "a value of a logarithmic axis is not above 0");
  }
  void lines(const std::vector<ReferenceLine>& all, const ChartAxis& axis) const {
    for (const ReferenceLine& line : all) on_axis(line.at, axis);
  }

  void operator()(const BarChart& chart) const {
    that(chart.value.scale == Scale::linear, "bars need a linear axis");
    for (const BarSeries& series : chart.series) {
      that(
          series.values.size() == chart.rows.size(),
          fmt::format("series \"{}\" has {} values for {} rows", series.name, series.values.size(), chart.rows.size()));
      for (const double value : series.values) {
        finite(value, series.name);
        that(value >= 0, fmt::format("series \"{}\" has a value below 0", series.name));
      }
    }
    lines(chart.lines, chart.value);
  }

  void operator()(const GanttChart& chart) const {
    finite(chart.start_s, "the start of the window");
    finite(chart.end_s, "the end of the window");
    that(chart.end_s >= chart.start_s, "the window ends before it starts");
    for (const GanttSpan& span : chart.spans) {
      that(span.row < chart.rows.size(), fmt::format("span \"{}\" stands in no row", span.name));
      finite(span.start_s, "the start of a span");
      finite(span.end_s, "the end of a span");
      that(span.end_s >= span.start_s, fmt::format("span \"{}\" ends before it starts", span.name));
    }
  }

  void operator()(const LineChart& chart) const {
    const std::vector<Point>* first_area = nullptr;
    for (const LineSeries& series : chart.series) {
      points(series.points, chart.x, chart.y);
      for (std::size_t i = 1; i < series.points.size(); ++i) {
        that(series.points[i - 1].x <= series.points[i].x, fmt::format("series \"{}\" is not by x", series.name));
      }
      if (!series.area) continue;
      that(chart.y.scale == Scale::linear, "areas need a linear axis");
      if (first_area == nullptr) first_area = &series.points;
      that(series.points.size() == first_area->size(), "areas differ in their number of points");
      for (std::size_t i = 0; i < series.points.size(); ++i) {
        that(series.points[i].x == (*first_area)[i].x, "areas differ in x");
        that(series.points[i].y >= 0, fmt::format("area \"{}\" has a value below 0", series.name));
      }
    }
    lines(chart.at_x, chart.x);
    lines(chart.at_y, chart.y);
  }

  void operator()(const HeatMap& chart) const {
    that(chart.cells.size() == chart.x.size() * chart.y.size(),
         fmt::format("{} cells for {} by {} categories", chart.cells.size(), chart.x.size(), chart.y.size()));
    for (const HeatCell& cell : chart.cells) {
      if (cell.value) finite(*cell.value, chart.value_label);
    }
  }

  void operator()(const ScatterChart& chart) const {
    for (const ScatterGroup& group : chart.series) points(group.points, chart.x, chart.y);
    if (!chart.band) return;
    finite(*chart.band, "the band");
    that(*chart.band >= 0, "the band is below 0");
    that(chart.x.scale == chart.y.scale && chart.x.quantity == chart.y.quantity, "a diagonal needs axes of one kind");
  }

 private:
  void points(const std::vector<Point>& all, const ChartAxis& x, const ChartAxis& y) const {
    for (const Point& point : all) {
      on_axis(point.x, x);
      on_axis(point.y, y);
    }
  }
  std::string_view title_;
};

}  // namespace

const ChartWords& words_of(const Chart& chart) {
  return std::visit([](const auto& kind) -> const ChartWords& { return kind.words; }, chart);
}

void check_chart(const Chart& chart) { std::visit(ChartCheck(words_of(chart)), chart); }

}  // namespace ringsim::reports
