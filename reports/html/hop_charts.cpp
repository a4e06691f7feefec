#include "reports/html/hop_charts.hpp"

#include "reports/html/titled.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {
namespace {

using sim::HopUse;

constexpr std::size_t hops_drawn = 64;

std::string class_of(const HopUse& hop) {
  return fmt::format("{} {}{}", hop.link_class, hop.inter_node ? "between nodes" : "inside a node",
                     hop.second ? ", second hops" : "");
}

std::string name_of_hop(const HopUse& hop) {
  return fmt::format("{} → {}{}", human_count(hop.rank), human_count(hop.to_rank), hop.second ? " (second)" : "");
}

/// Hops of one class, in order of first appearance.
struct HopClass {
  std::string name;
  std::vector<const HopUse*> hops;
};

std::vector<HopClass> classes_of(const std::vector<HopUse>& hops) {
  std::vector<HopClass> classes;
  for (const HopUse& hop : hops) {
    const std::string name = class_of(hop);
    auto at = std::find_if(classes.begin(), classes.end(), [&](const HopClass& c) { return c.name == name; });
    if (at == classes.end()) at = classes.insert(classes.end(), {name, {}});
    at->hops.push_back(&hop);
  }
  return classes;
}

double mean(const HopClass& c, double HopUse::* value) {
  double sum = 0;
  for (const HopUse* hop : c.hops) sum += hop->*value;
  return sum / static_cast<double>(c.hops.size());
}

const HopUse& busiest(const HopClass& c) {
  return **std::max_element(c.hops.begin(), c.hops.end(),
                            [](const HopUse* a, const HopUse* b) { return a->share < b->share; });
}

BarChart chart_of(const sim::Prediction& p, const std::vector<HopClass>& classes) {
  BarChart chart{
      .words = {"Hops in flight",
                "For how much of the run each rank's outgoing hop is in flight; what is left its link idles."},
      .row_header = "hop",
      .rows = {},
      .value = {"share of the run", Quantity::fraction, Scale::linear},
      .series = {{"in flight", Tone::transfer, {}}},
      .lines = {{"always", 1.0, Tone::limit}}};
  if (p.hop_use.size() <= hops_drawn) {
    for (const HopUse& hop : p.hop_use) {
      chart.rows.push_back(name_of_hop(hop));
      chart.series[0].values.push_back(hop.share);
    }
    return chart;
  }
  chart.words.title += ", by class of link";
  chart.row_header = "class";
  for (const HopClass& c : classes) {
    chart.rows.push_back(c.name + ", on average");
    chart.series[0].values.push_back(mean(c, &HopUse::share));
    chart.rows.push_back(fmt::format("{}, busiest: {}", c.name, name_of_hop(busiest(c))));
    chart.series[0].values.push_back(busiest(c).share);
  }
  return chart;
}

Grid classes_grid(const sim::Prediction& p, const std::vector<HopClass>& classes) {
  Grid grid{{{"link", Align::left},
             {"hops", Align::right},
             {"sent by each", Align::right},
             {"in flight", Align::right},
             {"busiest", Align::right},
             {"rate in flight", Align::right},
             {"of the data sheet's", Align::right},
             {"over the whole run", Align::right}},
            {}};
  for (const HopClass& c : classes) {
    const double nominal = mean(c, &HopUse::nominal_bytes_per_s);
    const double rate = mean(c, &HopUse::bytes_per_s);
    const double sent = mean(c, &HopUse::bytes);
    const bool known = nominal > 0 && p.makespan_s > 0;
    grid.rows.push_back({c.name, human_count(static_cast<std::int64_t>(c.hops.size())), human_bytes(bytes(sent)),
                         human_percent(mean(c, &HopUse::share)), human_percent(busiest(c).share),
                         human_bandwidth(bytes_per_second(rate)), known ? human_percent(rate / nominal) : "",
                         known ? human_percent(sent / p.makespan_s / nominal) : ""});
  }
  return grid;
}

}  // namespace

HtmlSection hop_section(const sim::Prediction& p) {
  HtmlSection section{"hops", "Links of the ring", "how busy they are", {}};
  if (p.hop_use.empty()) {
    if (!p.no_hop_use.empty() && p.ring_size > 1) section.blocks.emplace_back(Paragraph{titled(p.no_hop_use)});
    return section;
  }
  const std::vector<HopClass> classes = classes_of(p.hop_use);
  section.blocks.emplace_back(Figure{"hop-use", chart_of(p, classes)});
  section.blocks.emplace_back(classes_grid(p, classes));
  return section;
}

}  // namespace ringsim::reports
