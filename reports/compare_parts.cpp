// What `compare` shows in tables and fields.

#include "reports/compare_parts.hpp"

#include "reports/compare_figures.hpp"
#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::reports {
namespace {

void add_both(Fields& fields, const std::string& label, const std::string& a, const std::string& b) {
  if (a == b) return fields.emplace_back(label, a), void();
  fields.emplace_back(label, "A: " + (a.empty() ? std::string("none") : a));
  fields.emplace_back("", "B: " + (b.empty() ? std::string("none") : b));
}

std::string value_of(const Fields& fields, const std::string& label) {
  std::string value;
  bool inside = false;  // lines without a label belong to the one above
  for (const auto& [name, text] : fields) {
    inside = name.empty() ? inside : name == label;
    if (inside) value += (value.empty() ? "" : "; ") + text;
  }
  return value;
}

Grid grid_of(const std::vector<ComparedFigure>& figures) {
  Grid grid{
      {{"", Align::left}, {"A", Align::right}, {"B", Align::right}, {"B against A", Align::right}, {"", Align::left}},
      {}};
  for (const ComparedFigure& figure : figures) {
    const std::string_view better = figure.better_side();
    grid.rows.push_back({figure.label, figure_text(figure.a, figure.unit), figure_text(figure.b, figure.unit),
                         figure.comparable() ? change_text(figure) : "not compared",
                         better == "b"   ? "better"
                         : better == "a" ? "worse"
                                         : ""});
  }
  return grid;
}

std::string text_of(const std::optional<ValueOfSide>& value) { return value ? value->text : "none"; }

// "A:7:33": a place in the file of a side.
std::string place(const std::string& origin, const std::string& file, const char* side) {
  return origin.starts_with(file + ":") ? side + origin.substr(file.size()) : origin;
}

std::string origin_of(const ScenarioComparison& c, const ChangedValue& value) {
  const std::string a = value.a ? place(value.a->origin, c.a.file, "A") : "";
  const std::string b = value.b ? place(value.b->origin, c.b.file, "B") : "";
  if (a.empty() || b.empty() || a == b) return a.empty() ? b : a;
  return fmt::format("{}; {}", a, b);
}

// Long lists are told by how they begin.
std::string cut(const std::string& text) {
  constexpr std::size_t longest = 28;
  return text.size() <= longest ? text : text.substr(0, longest - 3) + "...";
}

}  // namespace

Fields compared_setup_fields(const ScenarioComparison& c) {
  const Fields a = setup_fields(c.a.prediction, c.a.scenario);
  const Fields b = setup_fields(c.b.prediction, c.b.scenario);
  Fields fields;
  const auto file = [](const ComparedSide& side) {
    std::string text = side.file;
    for (const std::string& set : side.sets) text += fmt::format(" --set '{}'", set);
    return text;
  };
  add_both(fields, "scenario", fmt::format("{} ({}), hash {}", c.a.scenario.name, file(c.a), c.a.scenario.hash),
           fmt::format("{} ({}), hash {}", c.b.scenario.name, file(c.b), c.b.scenario.hash));
  std::vector<std::string> labels;
  for (const Fields* side : {&a, &b}) {
    for (const auto& [label, value] : *side) {
      if (!label.empty() && std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
    }
  }
  for (const std::string& label : labels) add_both(fields, label, value_of(a, label), value_of(b, label));
  return fields;
}

Grid compared_grid(const ScenarioComparison& c) { return grid_of(figures_of(c)); }
Grid compared_memory_grid(const ScenarioComparison& c) { return grid_of(memory_figures_of(c)); }

Fields compared_bottleneck_fields(const ScenarioComparison& c) {
  const auto one = [](const sim::Prediction& p) {
    return fmt::format("{}. {}", bottleneck_heading(p), p.bottleneck.sentence);
  };
  Fields fields;
  fields.emplace_back("A", one(c.a.prediction));
  fields.emplace_back("B", one(c.b.prediction));
  return fields;
}

Grid input_grid(const ScenarioComparison& c, std::size_t values) {
  Grid grid{{{"", Align::left}, {"A", Align::left}, {"B", Align::left}, {"written", Align::left}}, {}};
  for (const ChangedInput& input : c.inputs) {
    const bool alone = input.values.size() == 1 && input.values.front().key == input.name;
    if (alone) {
      const ChangedValue& value = input.values.front();
      grid.rows.push_back({input.name, cut(text_of(value.a)), cut(text_of(value.b)), origin_of(c, value)});
      continue;
    }
    grid.rows.push_back({input.name, cut(input.a), cut(input.b), ""});
    std::size_t shown = 0;
    for (const ChangedValue& value : input.values) {
      if (shown == values) break;
      if (value.key.ends_with(".name") && input.values.size() > 1) continue;  // the line above says it
      ++shown;
      grid.rows.push_back({"  " + value.key, cut(text_of(value.a)), cut(text_of(value.b)), origin_of(c, value)});
    }
    const auto names = std::count_if(input.values.begin(), input.values.end(),
                                     [](const ChangedValue& value) { return value.key.ends_with(".name"); });
    const std::size_t left_out = input.values.size() - shown - static_cast<std::size_t>(shown > 0 ? names : 0);
    if (shown == values && left_out > 0) {
      grid.rows.push_back({fmt::format("  and {} more values", left_out), "", "", ""});
    }
  }
  return grid;
}

Grid explained_grid(const ScenarioComparison& c) {
  if (!c.time) return {};
  const sim::Attribution& time = *c.time;
  const double change = time.to - time.from;
  const bool memory = c.memory && c.memory->to != c.memory->from;
  Grid grid{{{"", Align::left}, {"time", Align::right}, {"share", Align::right}}, {}};
  if (memory) grid.columns.push_back({"memory", Align::right});
  const auto share = [&](double value) {
    // Parts that undo each other are many times the little that remains.
    const bool tells = std::abs(change) > 1e-3 * std::abs(value) && change != 0.0;
    if (!tells) return std::string();
    if (value == 0.0) return std::string("0 %");
    const double percent = value / change * 100.0;
    return std::abs(percent) < 0.05 ? std::string("±<0.1 %") : fmt::format("{:.1f} %", percent);
  };
  // What is less than rounding of the whole is nothing.
  const auto settled = [](double value, double from, double to) {
    return std::abs(value) <= 1e-12 * std::max(std::abs(from), std::abs(to)) ? 0.0 : value;
  };
  std::vector<std::size_t> order(time.parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return std::abs(time.parts[x].value) > std::abs(time.parts[y].value);
  });
  const auto add = [&](const std::string& name, double seconds, double size) {
    seconds = settled(seconds, time.from, time.to);
    std::vector<std::string> row = {name, signed_text(seconds, FigureUnit::seconds), share(seconds)};
    if (memory) row.push_back(signed_text(settled(size, c.memory->from, c.memory->to), FigureUnit::bytes));
    grid.rows.push_back(std::move(row));
  };
  for (const std::size_t i : order) {
    if (!brings_nothing(c, time.parts[i]))
      add(part_name(c, time.parts[i].of), time.parts[i].value, memory ? c.memory->parts[i].value : 0.0);
  }
  if (time.parts.size() > 1) add("in all", change, memory ? c.memory->to - c.memory->from : 0.0);
  return grid;
}

}  // namespace ringsim::reports
