#include "reports/html/validation_charts.hpp"

#include "reports/charts/tones.hpp"
#include "reports/html/run_charts.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace ringsim::reports {
namespace {

using calibrate::Comparison;

constexpr std::size_t operations_drawn = 5000;
constexpr std::size_t spans_drawn = 600;
constexpr std::int64_t ranks_drawn = 8;

std::size_t matched_operations(const Comparison& c) {
  std::size_t count = 0;
  for (const calibrate::OperationGroup& group : c.groups) count += group.matched.size();
  return count;
}

std::vector<Point> points_of(const calibrate::OperationGroup& group) {
  std::vector<Point> points;
  for (const calibrate::OperationError& e : group.matched) points.push_back({e.measured_s, e.predicted_s});
  return points;
}

std::vector<Point> median_of(const calibrate::OperationGroup& group) {
  if (group.measured_median_s && group.predicted_median_s) {
    return {{*group.measured_median_s, *group.predicted_median_s, group.name}};
  }
  return {{group.measured_s, group.predicted_s, group.name}};
}

double quantity(const Comparison& c, std::string_view key, double calibrate::ComparedQuantity::* side) {
  for (const calibrate::ComparedQuantity& q : c.quantities) {
    if (q.key == key && q.whose == "slowest rank") return q.*side;
  }
  return 0;
}

/// Layers [0, n) of the first ranks; of a timeline whose layers are not known all of it.
sim::Timeline first_layers(const sim::Timeline& timeline, std::int64_t layers) {
  sim::Timeline cut = timeline;
  std::erase_if(cut.spans, [&](const sim::Span& s) { return s.rank >= ranks_drawn || s.layer >= layers; });
  cut.ranks_shown = std::min(cut.ranks, ranks_drawn);
  return cut;
}

// Most whole layers that are few enough spans, and at least one.
std::int64_t layers_drawn(const sim::Timeline& timeline) {
  std::map<std::int64_t, std::size_t> spans_of;  // by layer, of the ranks that are drawn
  for (const sim::Span& span : timeline.spans) spans_of[span.layer] += span.rank < ranks_drawn ? 1 : 0;
  std::int64_t layers = 1;
  std::size_t spans = 0;
  for (const auto& [layer, count] : spans_of) {
    spans += count;
    if (spans > spans_drawn) break;
    layers = std::max(layers, layer + 1);
  }
  return layers;
}

}  // namespace

ScatterChart operations_chart(const Comparison& c) {
  ScatterChart chart{.words = {"Predicted against measured", ""},
                     .x = {"measured", Quantity::seconds, Scale::logarithmic},
                     .y = {"predicted", Quantity::seconds, Scale::logarithmic},
                     .band = 0.1,
                     .series = {}};
  const std::size_t matched = matched_operations(c);
  const bool one_by_one = c.one_by_one && matched > 0 && matched <= operations_drawn;
  std::size_t without_time = 0;
  for (const calibrate::OperationGroup& group : c.groups) {
    ScatterGroup series{.name = group.name, .tone = series_tone(chart.series.size())};
    series.points = one_by_one ? points_of(group) : median_of(group);
    const auto before = series.points.size();
    std::erase_if(series.points, [](const Point& p) { return !(p.x > 0 && p.y > 0); });
    without_time += before - series.points.size();
    if (!series.points.empty()) chart.series.push_back(std::move(series));
  }
  chart.words.description =
      one_by_one ? fmt::format(
                       "{} operations, each a point; on the diagonal a prediction is right, in the band it is "
                       "within 10 %.",
                       human_count(static_cast<std::int64_t>(matched)))
                 : std::string(
                       "Kinds of operations, each a point at its median time; on the diagonal a prediction is "
                       "right, in the band it is within 10 %.");
  if (!one_by_one && matched > operations_drawn) {
    chart.words.description +=
        fmt::format(" The {} single operations are too many to draw.", human_count(static_cast<std::int64_t>(matched)));
  }
  if (without_time > 0) {
    chart.words.description += fmt::format(" Left out: {} that took no time on one of the sides.", without_time);
  }
  return chart;
}

BarChart compared_times_chart(const Comparison& c) {
  BarChart chart{.words = {"Time of the slowest rank",
                           "Two bars, measured and predicted: kernels, exposed communication and bubble."},
                 .row_header = "side",
                 .rows = {"measured", "predicted"},
                 .value = {"time", Quantity::seconds, Scale::linear},
                 .series = {},
                 .lines = {}};
  struct Part {
    const char* key;
    const char* name;
    Tone tone;
  };
  constexpr std::array<Part, 4> parts = {{{"attention", "attention", Tone::attention},
                                          {"merge", "merging partial results", Tone::merge},
                                          {"exposed_communication", "exposed communication", Tone::exposed},
                                          {"bubble", "bubble", Tone::late}}};
  for (const Part& part : parts) {
    const double measured = quantity(c, part.key, &calibrate::ComparedQuantity::measured);
    const double predicted = quantity(c, part.key, &calibrate::ComparedQuantity::predicted);
    if (measured > 0 || predicted > 0) chart.series.push_back({part.name, part.tone, {measured, predicted}});
  }
  return chart;
}

GanttChart compared_timeline(const sim::Timeline& measured, const sim::Timeline& predicted) {
  const std::int64_t layers = layers_drawn(predicted);
  const GanttChart above = gantt_chart(first_layers(measured, layers), "");
  const GanttChart below = gantt_chart(first_layers(predicted, layers), "");
  GanttChart chart{.words = {fmt::format("Timeline: the first {}, measured and predicted",
                                         layers == 1 ? "layer" : fmt::format("{} layers", layers)),
                             ""},
                   .rows = {},
                   .spans = {},
                   .key = above.key,
                   .start_s = std::min(above.start_s, below.start_s),
                   .end_s = std::max(above.end_s, below.end_s)};
  for (const GanttKey& key : below.key) {
    const bool there =
        std::any_of(chart.key.begin(), chart.key.end(), [&](const GanttKey& k) { return k.tone == key.tone; });
    if (!there) chart.key.push_back(key);
  }
  // Rows of one rank stand together, measured before predicted.
  const auto add = [&chart](const GanttChart& from, const std::string& group, const std::string& side) {
    for (std::size_t row = 0; row < from.rows.size(); ++row) {
      if (from.rows[row].group != group) continue;
      for (GanttSpan span : from.spans) {
        if (span.row != row) continue;
        span.row = chart.rows.size();
        chart.spans.push_back(std::move(span));
      }
      chart.rows.push_back({group, from.rows[row].name + ", " + side});
    }
  };
  std::string group;
  for (const GanttRow& row : (above.rows.empty() ? below : above).rows) {
    if (row.group == group) continue;
    group = row.group;
    add(above, group, "measured");
    add(below, group, "predicted");
  }
  chart.words.description =
      fmt::format("What each rank's streams did when measured and do as predicted, from the start of the run to {}.",
                  human_time(chart.end_s));
  return chart;
}

}  // namespace ringsim::reports
