#include "reports/html/degree_chart.hpp"

#include "reports/html/titled.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::CellVerdict;
using sim::DegreeCell;
using sim::DegreeMap;
using sim::Objective;

/// What else the cell's plan is: the other degrees above 1.
std::string others_text(const sim::Plan& plan) {
  std::string text;
  const auto add = [&text](const char* name, std::int64_t degree) {
    if (degree > 1) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, human_count(degree));
  };
  add("ulysses", plan.degrees.ulysses);
  add("pipeline", plan.degrees.pipeline);
  add("data", plan.degrees.data);
  add("expert", plan.expert);
  return text;
}

/// What the cells show: where GPUs are to be few, the time that they take, since their number stands in the label.
struct Shown {
  std::string value;
  std::string title;
  Quantity quantity = Quantity::seconds;
};
Shown shown_of(const DegreeMap& map) {
  switch (map.objective) {
    case Objective::time:
      return {map.time_name, titled(map.time_name), Quantity::seconds};
    case Objective::gpus:
      return {map.time_name, titled(map.time_name) + " on the fewest GPUs", Quantity::seconds};
    case Objective::cost:
      return {"cost", "Cost", Quantity::money};
    case Objective::energy:
      break;
  }
  return {"energy [J]", "Energy", Quantity::number};
}

HeatMap chart_of(const DegreeMap& map) {
  const Shown shown = shown_of(map);
  HeatMap chart{.words = {shown.title + ", by tensor and ring degree", ""},
                .x_label = "ring",
                .y_label = "tensor",
                .x = {},
                .y = {},
                .value_label = shown.value,
                .quantity = shown.quantity,
                .low_is_good = true,
                .cells = {}};
  for (const std::int64_t ring : map.ring) chart.x.push_back(human_count(ring));
  for (const std::int64_t tensor : map.tensor) chart.y.push_back(human_count(tensor));
  std::size_t feasible = 0;
  for (const DegreeCell& cell : map.cells) {
    HeatCell drawn{.value = {}, .reason = cell.reason};
    if (cell.verdict == CellVerdict::feasible) {
      ++feasible;
      drawn.value = map.objective == Objective::gpus ? cell.time_s : cell.value;
      drawn.reason.clear();
      if (cell.plan) drawn.label = others_text(*cell.plan);
      if (cell.plan) {
        drawn.label =
            fmt::format("{} GPUs{}{}", human_count(cell.plan->gpus()), drawn.label.empty() ? "" : ", ", drawn.label);
      }
    }
    chart.cells.push_back(std::move(drawn));
  }
  if (map.best) chart.cells[*map.best].chosen = true;
  chart.words.description = fmt::format(
      "{} of {} pairs of degrees have a plan; each cell is the best over all other choices on up to {} GPUs{}. The "
      "others "
      "say what rules them out.",
      feasible, map.cells.size(), human_count(map.most_gpus), map.best ? ", the framed one the best of all" : "");
  return chart;
}

}  // namespace

HtmlSection degree_section(const DegreeMap& map) {
  HtmlSection section{"degrees", "Tensor and ring degrees", "each the best over all other choices", {}};
  if (map.cells.size() < 2) return section;
  section.blocks.emplace_back(Figure{"degree-map", chart_of(map)});
  if (!map.left_out.empty()) section.blocks.emplace_back(Paragraph{"Not shown: " + map.left_out + "."});
  return section;
}

}  // namespace ringsim::reports
