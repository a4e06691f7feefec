#include "reports/compare_figures.hpp"
#include "reports/compare_parts.hpp"
#include "reports/csv.hpp"
#include "reports/humanise.hpp"

namespace ringsim::reports {
namespace {

/// A row of any section; what it has not stays empty.
struct Line {
  std::string section, key;
  std::string a, b;
  std::optional<double> change, relative_change;
  std::string better, not_compared, origin_a, origin_b;
  std::optional<double> share, least, most;

  [[nodiscard]] CsvRow row() const {
    CsvRow row;
    row.add("section", section);
    row.add("key", key);
    row.add("a", a);
    row.add("b", b);
    row.add("change", change);
    row.add("relative_change", relative_change);
    row.add("better", better);
    row.add("not_compared", not_compared);
    row.add("share", share);
    row.add("least", least);
    row.add("most", most);
    row.add("origin_a", origin_a);
    row.add("origin_b", origin_b);
    return row;
  }
};

std::string cell(const std::optional<double>& value) { return value ? exact(*value) : std::string(); }

Line line_of(const char* section, const ComparedFigure& figure) {
  Line line{section, figure.key, cell(figure.a), cell(figure.b)};
  line.change = figure.change();
  line.relative_change = figure.relative_change();
  line.better = figure.better_side();
  line.not_compared = figure.not_compared;
  return line;
}

void add_attribution(const ScenarioComparison& c, const sim::Attribution& attribution, const std::string& section,
                     std::string& text) {
  const double change = attribution.to - attribution.from;
  for (const sim::Contribution& part : attribution.parts) {
    Line line{section, part_name(c, part.of), {}, {}};
    line.change = part.value;
    if (change != 0.0) line.share = part.value / change;
    line.least = part.least;
    line.most = part.most;
    text += line.row().row();
  }
}

}  // namespace

std::string render_csv(const ScenarioComparison& c) {
  std::string text = Line{}.row().header();
  text += Line{"scenario", "name", c.a.scenario.name, c.b.scenario.name}.row().row();
  text += Line{"scenario", "hash", c.a.scenario.hash, c.b.scenario.hash}.row().row();
  text += Line{"scenario", "engine", c.a.prediction.engine, c.b.prediction.engine}.row().row();
  for (const ComparedFigure& figure : figures_of(c)) text += line_of("figure", figure).row().row();
  for (const ComparedFigure& figure : memory_figures_of(c)) text += line_of("memory", figure).row().row();
  for (const ChangedInput& input : c.inputs) {
    for (const ChangedValue& value : input.values) {
      Line line{"input " + input.name, value.key, value.a ? value.a->text : "", value.b ? value.b->text : ""};
      line.origin_a = value.a ? value.a->origin : "";
      line.origin_b = value.b ? value.b->origin : "";
      text += line.row().row();
    }
  }
  if (c.time) add_attribution(c, *c.time, "explained " + std::string(headline_of(c.a.prediction).key), text);
  if (c.memory) add_attribution(c, *c.memory, "explained memory_total_bytes", text);
  return text;
}

}  // namespace ringsim::reports
