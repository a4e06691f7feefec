#include "reports/traffic_parts.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace ringsim::reports {
namespace {

constexpr std::size_t rows_shown = 16;

std::string place_of(bool inter_node) { return inter_node ? "between nodes" : "inside a node"; }

/// How often: fractions come from phases that are counted several times.
std::string times_text(double times) {
  const bool whole = times == std::floor(times) && times < 1e15;
  return whole ? human_count(static_cast<std::int64_t>(times)) : human_number(times);
}

std::string members_of(const sim::TrafficSummary& t) {
  if (!t.group.empty()) return t.group;
  return t.kind == "send" ? "stages" : "neighbours";
}

}  // namespace

std::vector<LinkClassBytes> bytes_by_link_class(const std::vector<sim::TrafficSummary>& traffic) {
  std::vector<LinkClassBytes> sums;
  for (const sim::TrafficSummary& t : traffic) {
    auto known = std::find_if(sums.begin(), sums.end(), [&](const LinkClassBytes& sum) {
      return sum.link_class == t.link_class && sum.inter_node == t.inter_node;
    });
    if (known == sums.end()) known = sums.insert(sums.end(), {t.link_class, t.inter_node, 0.0});
    known->bytes_per_rank += t.bytes_per_rank;
  }
  std::stable_partition(sums.begin(), sums.end(), [](const LinkClassBytes& sum) { return !sum.inter_node; });
  return sums;
}

Grid traffic_grid(const sim::Prediction& p) {
  Grid grid{{{"", Align::left},
             {"sends", Align::right},
             {"times", Align::right},
             {"takes", Align::right},
             {"share", Align::right},
             {"among, over", Align::left}},
            {}};
  std::vector<sim::TrafficSummary> traffic = p.traffic;
  std::stable_sort(traffic.begin(), traffic.end(),
                   [](const auto& a, const auto& b) { return a.bytes_per_rank > b.bytes_per_rank; });
  const std::size_t shown = traffic.size() > rows_shown ? rows_shown - 1 : traffic.size();
  for (std::size_t i = 0; i < shown; ++i) {
    const sim::TrafficSummary& t = traffic[i];
    // A collective over several link classes has a row for each, but takes its time once: beside the most bytes.
    const bool again =
        std::any_of(traffic.begin(), traffic.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const auto& o) { return o.name == t.name && o.kind == t.kind && o.kind != "hop"; });
    const bool share = p.makespan_s > 0.0 && !p.makespan_is_bound && !again;
    grid.rows.push_back({t.name, human_bytes(bytes(t.bytes_per_rank)), times_text(t.times),
                         again ? "" : human_time(t.seconds), share ? human_percent(t.seconds / p.makespan_s) : "",
                         fmt::format("{}, {}{}", members_of(t), t.link_class, t.inter_node ? " (inter-node)" : "")});
  }
  if (shown < traffic.size()) {
    double rest = 0;
    for (std::size_t i = shown; i < traffic.size(); ++i) rest += traffic[i].bytes_per_rank;
    grid.rows.push_back({fmt::format("{} smaller ones", traffic.size() - shown), human_bytes(bytes(rest))});
  }
  return grid;
}

Fields traffic_fields(const sim::Prediction& p) {
  Fields fields;
  for (const LinkClassBytes& sum : bytes_by_link_class(p.traffic)) {
    fields.emplace_back(fields.empty() ? "in all" : "",
                        fmt::format("{} a rank over {}, {}", human_bytes(bytes(sum.bytes_per_rank)), sum.link_class,
                                    place_of(sum.inter_node)));
  }
  return fields;
}

}  // namespace ringsim::reports
