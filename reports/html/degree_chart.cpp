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

Quantity quantity_of(Objective objective) {
  switch (objective) {
    case Objective::time:
      return Quantity::seconds;
    case Objective::gpus:
      return Quantity::count;
    case Objective::cost:
      return Quantity::money;
    case Objective::energy:
      break;
  }
  return Quantity::number;
}

HeatMap chart_of(const DegreeMap& map) {
  const std::string value = map.objective == Objective::time ? map.time_name : std::string(name_of(map.objective));
  HeatMap chart{.words = {titled(value) + " by tensor and ring degree", ""},
                .x_label = "ring",
                .y_label = "tensor",
                .x = {},
                .y = {},
                .value_label = map.objective == Objective::energy ? "energy [J]" : value,
                .quantity = quantity_of(map.objective),
                .low_is_good = true,
                .cells = {}};
  for (const std::int64_t ring : map.ring) chart.x.push_back(human_count(ring));
  for (const std::int64_t tensor : map.tensor) chart.y.push_back(human_count(tensor));
  std::size_t feasible = 0;
  for (const DegreeCell& cell : map.cells) {
    HeatCell drawn{.value = {}, .reason = cell.reason};
    if (cell.verdict == CellVerdict::feasible) {
      ++feasible;
      drawn.value = cell.value;
      drawn.reason.clear();
      if (cell.plan) drawn.label = others_text(*cell.plan);
      if (cell.plan && map.objective != Objective::gpus) {
        drawn.label += fmt::format("{}{} GPUs", drawn.label.empty() ? "" : ", ", human_count(cell.plan->gpus()));
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
  if (!map.left_out.empty()) section.blocks.emplace_back(Paragraph{titled(map.left_out)});
  return section;
}

}  // namespace ringsim::reports
