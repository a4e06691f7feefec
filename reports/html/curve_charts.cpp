#include "reports/html/curve_charts.hpp"

#include "reports/html/titled.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::BandwidthCrossing;
using sim::BandwidthCurve;
using sim::ScalingCurve;
using sim::ScalingPoint;
using sim::ScalingVerdict;

LineChart time_by_ring(const ScalingCurve& curve) {
  LineChart chart{.words = {titled(curve.time_name) + " by ring size", ""},
                  .x = {"ranks of the ring", Quantity::count, Scale::logarithmic},
                  .y = {curve.time_name, Quantity::seconds, Scale::logarithmic},
                  .series = {},
                  .at_x = {},
                  .at_y = {}};
  LineSeries runs{.name = curve.time_name, .tone = Tone::series_1};
  LineSeries too_large{.name = "does not fit in memory", .tone = Tone::limit, .stroke = Stroke::dashed};
  LineSeries ideal{.name = "ideal", .tone = Tone::ideal, .stroke = Stroke::dashed, .marks = false};
  for (const ScalingPoint& p : curve.points) {
    const auto ring = static_cast<double>(p.ring);
    if (p.ideal_s && *p.ideal_s > 0 && p.ring >= curve.ideal_from.value_or(1))
      ideal.points.push_back({ring, *p.ideal_s});
    if (!p.time_s || !(*p.time_s > 0)) continue;
    LineSeries& to = p.verdict == ScalingVerdict::too_large ? too_large : runs;
    to.points.push_back({ring, *p.time_s, p.own ? "this scenario" : ""});
  }
  for (LineSeries* series : {&runs, &ideal, &too_large}) {
    if (!series->points.empty()) chart.series.push_back(std::move(*series));
  }
  chart.words.description = fmt::format(
      "{} against the number of ranks that the sequence is divided over, all else as it is. The ideal line halves "
      "with every doubling, from the smallest ring that can be used.",
      titled(curve.time_name));
  return chart;
}

LineChart shares_by_ring(const ScalingCurve& curve) {
  LineChart chart{.words = {"How the time is divided, by ring size",
                            "Shares of the slowest rank's time, stacked: computation, exposed communication, bubble."},
                  .x = {"ranks of the ring", Quantity::count, Scale::logarithmic},
                  .y = {"share of the time", Quantity::fraction, Scale::linear},
                  .series = {{.name = "compute", .tone = Tone::attention, .marks = false, .area = true},
                             {.name = "exposed communication", .tone = Tone::exposed, .marks = false, .area = true},
                             {.name = "bubble", .tone = Tone::late, .marks = false, .area = true}},
                  .at_x = {},
                  .at_y = {}};
  for (const ScalingPoint& p : curve.points) {
    const double sum = p.compute_s + p.exposed_communication_s + p.bubble_s;
    if (!p.time_s || !(sum > 0)) continue;
    const auto ring = static_cast<double>(p.ring);
    chart.series[0].points.push_back({ring, p.compute_s / sum});
    chart.series[1].points.push_back({ring, p.exposed_communication_s / sum});
    chart.series[2].points.push_back({ring, p.bubble_s / sum});
  }
  return chart;
}

Grid scaling_grid(const ScalingCurve& curve) {
  Grid grid{{{"ring", Align::right},
             {"GPUs", Align::right},
             {"nodes", Align::right},
             {curve.time_name, Align::right},
             {"of ideal", Align::right},
             {"exposed", Align::right},
             {"memory", Align::right},
             {"", Align::left}},
            {}};
  for (const ScalingPoint& p : curve.points) {
    std::string remark = p.reason;
    if (p.own) remark = remark.empty() ? "this scenario" : "this scenario; " + remark;
    if (p.shares_links) remark += remark.empty() ? "flows share links" : "; flows share links";
    grid.rows.push_back({human_count(p.ring), human_count(p.gpus), human_count(p.nodes),
                         p.time_s ? human_time(*p.time_s) : "", p.efficiency ? human_percent(*p.efficiency) : "",
                         p.time_s && *p.time_s > 0 ? human_percent(p.exposed_communication_s / *p.time_s) : "",
                         p.memory_bytes > 0 ? human_bytes(bytes(p.memory_bytes)) : "", remark});
  }
  return grid;
}

std::string human_rate_of_link(double bytes_per_s) { return human_bandwidth(bytes_per_second(bytes_per_s)); }

LineChart exposed_by_bandwidth(const BandwidthCurve& curve) {
  LineChart chart{.words = {"Exposed communication by bandwidth", ""},
                  .x = {curve.inter_node ? "bandwidth of a NIC, one way" : "bandwidth of a GPU's port, one way",
                        Quantity::bytes_per_second, Scale::logarithmic},
                  .y = {"exposed communication, share of the time", Quantity::fraction, Scale::linear},
                  .series = {{.name = "exposed communication", .tone = Tone::exposed, .marks = false}},
                  .at_x = {},
                  .at_y = {}};
  for (const sim::BandwidthPoint& p : curve.points) {
    chart.series[0].points.push_back({p.bandwidth_bytes_per_s, p.exposed_share});
  }
  const auto [first, last] = curve.points.empty() ? std::pair(0.0, 0.0)
                                                  : std::pair(curve.points.front().bandwidth_bytes_per_s,
                                                              curve.points.back().bandwidth_bytes_per_s);
  for (const sim::BandwidthMark& mark : curve.marks) {
    chart.at_x.push_back({mark.own ? mark.name + " (this scenario)" : mark.name, mark.bandwidth_bytes_per_s,
                          mark.own ? Tone::chosen : Tone::limit});
  }
  // Once by the costs of kernel and hop alone, once with what they do to each other: where those differ the picture shows why.
  const BandwidthCrossing* deciding = curve.deciding();
  const auto add_crossing = [&, from = first, to = last](const char* label, const std::optional<double>& rate) {
    if (rate && *rate >= from && *rate <= to) chart.at_x.push_back({label, *rate, Tone::ideal});
  };
  if (deciding != nullptr) {
    add_crossing("B_min = block, calibrated", deciding->bandwidth_bytes_per_s);
    add_crossing("B_min = block, simulated", deciding->simulated_bytes_per_s);
  }
  chart.words.description = fmt::format(
      "Share of the slowest rank's time that is spent waiting for communication, against the bandwidth of {}; lines "
      "mark "
      "what can be bought and where B_min comes down to the scenario's {} tokens a rank.",
      curve.inter_node ? "a NIC" : "the links inside a node", human_count(curve.block_tokens));
  return chart;
}

std::string crossing_text(const BandwidthCrossing& crossing, const BandwidthCurve& curve) {
  const std::string pass = crossing.pass == Pass::forward ? "forward" : "backward";
  std::string text = crossing.bandwidth_bytes_per_s
                         ? fmt::format("A {} hop of {} tokens hides from {} on", pass, human_count(curve.block_tokens),
                                       human_rate_of_link(*crossing.bandwidth_bytes_per_s))
                         : fmt::format("No crossing of a {} hop by the profile's costs ({})", pass, crossing.reason);
  text += crossing.simulated_bytes_per_s
              ? fmt::format("; simulated, with what hop and kernel do to each other, from {} on.",
                            human_rate_of_link(*crossing.simulated_bytes_per_s))
          : crossing.simulated_reason.empty() ? std::string(".")
                                              : fmt::format("; simulated: {}.", crossing.simulated_reason);
  return text;
}

Grid marks_grid(const BandwidthCurve& curve) {
  Grid grid{{{"link", Align::left},
             {"one way", Align::right},
             {"exposed", Align::right},
             {curve.time_name, Align::right},
             {"rate from", Align::left}},
            {}};
  for (const sim::BandwidthMark& mark : curve.marks) {
    grid.rows.push_back({mark.own ? mark.name + " (this scenario)" : mark.name,
                         human_rate_of_link(mark.bandwidth_bytes_per_s),
                         mark.at ? human_percent(mark.at->exposed_share) : "",
                         mark.at ? human_time(mark.at->time_s) : "", mark.source});
  }
  return grid;
}

}  // namespace

HtmlSection scaling_section(const ScalingCurve& curve) {
  HtmlSection section{"scaling", "Other ring sizes", "the same sequence over more or fewer ranks", {}};
  const auto timed = std::count_if(curve.points.begin(), curve.points.end(),
                                   [](const ScalingPoint& p) { return p.time_s.has_value(); });
  if (timed < 2) return section;
  section.blocks.emplace_back(Figure{"scaling-time", time_by_ring(curve)});
  section.blocks.emplace_back(Figure{"scaling-shares", shares_by_ring(curve)});
  section.blocks.emplace_back(scaling_grid(curve));
  if (!curve.left_out.empty()) section.blocks.emplace_back(Paragraph{curve.left_out});
  return section;
}

HtmlSection bandwidth_section(const BandwidthCurve& curve) {
  HtmlSection section{"bandwidth", "Other networks", "", {}};
  if (!curve.reason.empty() || curve.points.empty()) return section;
  section.note = curve.inter_node ? "bandwidth between nodes" : "bandwidth inside a node";
  section.blocks.emplace_back(Figure{"bandwidth-exposed", exposed_by_bandwidth(curve)});
  for (const BandwidthCrossing& crossing : curve.crossings) {
    section.blocks.emplace_back(Paragraph{crossing_text(crossing, curve)});
  }
  section.blocks.emplace_back(marks_grid(curve));
  if (curve.shares_links) {
    section.blocks.emplace_back(
        Paragraph{"Some links have more flows than they can serve: each was given a fixed equal share."});
  }
  return section;
}

}  // namespace ringsim::reports
