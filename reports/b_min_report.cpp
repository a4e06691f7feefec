#include "reports/b_min_report.hpp"

#include "reports/csv.hpp"
#include "reports/display.hpp"
#include "reports/humanise.hpp"
#include "reports/json_parts.hpp"
#include "reports/run_parts.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdicts.hpp"

#include <fmt/format.h>

#include <limits>

namespace ringsim::reports {
namespace {

/// The answer for the pass that the phase is about; of training, for the pass that needs the larger block.
std::string b_min_answer(const sim::Prediction& p, const Scenario& scenario) {
  if (p.ring_size <= 1)
    return fmt::format("{}: the ring has one rank, nothing travels and any block will do.", p.scenario_name);
  const char* pass = "forward";
  BlockMinimum minimum = block_minimum(p.b_min_forward);
  if (runs_backward(scenario.workload.phase)) {
    constexpr double none = std::numeric_limits<double>::infinity();
    const BlockMinimum backward = block_minimum(p.b_min_backward);
    const bool alone = !runs_forward(scenario.workload.phase);
    if (alone || backward.tokens.value_or(none) > minimum.tokens.value_or(none)) {
      pass = "backward";
      minimum = backward;
    }
  }
  const char* kind = minimum.simulated ? "simulated" : scenario.profile.calibrated ? "calibrated" : "datasheet";
  const std::string which = fmt::format("({}, {})", kind, pass);
  std::string text = fmt::format("no block hides a hop {}", which);
  if (minimum.tokens) {
    text = *minimum.tokens <= 0.0
               ? fmt::format("a hop hides at any block {}", which)
               : fmt::format("a hop hides from {} tokens a rank on {}", human_tokens_up(*minimum.tokens), which);
  }
  return fmt::format("{}: {}; the scenario has {}.", p.scenario_name, text, human_count(p.tokens_per_rank));
}

/// The part of the setup that B_min depends on.
Fields setup_of(const sim::Prediction& p, const Scenario& scenario) {
  Fields fields;
  for (auto& field : setup_fields(p, scenario)) {
    if (field.first != "engine" && field.first != "scope" && field.first != "straggler")
      fields.push_back(std::move(field));
  }
  return fields;
}

CsvRow csv_row(const BlockMinimumReport& report, std::string_view layout, bool causal, const char* pass,
               const sim::BlockMinima& minima, const std::string& of) {
  CsvRow row;
  row.add("scenario_name", report.prediction.scenario_name);
  row.add("scenario_hash", report.prediction.scenario_hash);
  row.add("profile_name", report.prediction.profile_name);
  row.add("of", of);
  row.add("layout", layout);
  row.add("causal", causal);
  row.add("pass", pass);
  row.add("tokens_per_rank", report.prediction.tokens_per_rank);
  row.add("datasheet_tokens", minima.datasheet_tokens);
  row.add("calibrated_tokens", minima.calibrated_tokens);
  row.add("simulated_tokens", minima.simulated_tokens);
  return row;
}

}  // namespace

std::string render_b_min_text(const BlockMinimumReport& report, const Style& style) {
  const auto& [p, scenario, layouts] = report;
  std::string text = style.bold(wrap(printable(b_min_answer(p, scenario)), page_width, 0)) + "\n";
  text += heading("Setup", "", style) + text_fields(setup_of(p, scenario), 2, style);
  if (p.ring_size > 1) {
    text += heading("B_min", "tokens a rank from which a hop hides behind the computation of a step", style);
    text += text_table(b_min_grid(p), 2, style) + text_fields(b_min_fields(p), 2, style);
    text += heading("Other layouts and masks", "tokens a rank, the same hop", style);
    text += text_table(layout_grid(layouts, scenario), 2, style);
  }
  return text + warnings_section(p.warnings, style);
}

std::string render_b_min_markdown(const BlockMinimumReport& report) {
  const auto& [p, scenario, layouts] = report;
  std::string text = "**" + markdown_escape(b_min_answer(p, scenario)) + "**\n\n";
  text += markdown_fields(setup_of(p, scenario));
  if (p.ring_size > 1) {
    text += "\n### B_min [tokens a rank]\n\n" + markdown_table(b_min_grid(p)) + "\n";
    text += markdown_fields(b_min_fields(p));
    text += "\n### Other layouts and masks [tokens a rank]\n\n" + markdown_table(layout_grid(layouts, scenario));
  }
  if (!p.warnings.empty()) text += "\n### Warnings\n\n";
  for (const std::string& warning : p.warnings) text += "- " + markdown_escape(warning) + "\n";
  return text;
}

std::string render_b_min_json(const BlockMinimumReport& report) {
  const sim::Prediction& p = report.prediction;
  Json json = json_head(p);
  json["engine"] = p.engine;
  json["seed"] = p.seed;
  json["profile"] = json_profile(p);
  json["phase"] = p.phase;
  json["ring"] = json_ring(p);
  json["tokens"] = json_tokens(p);
  json["b_min"] = json_b_min(p);
  json["layouts"] = Json::array();
  for (const sim::LayoutMinima& row : report.layouts) {
    json["layouts"].push_back({{"layout", std::string(name_of(row.layout))},
                               {"causal", row.causal},
                               {"forward", json_minima(row.forward)},
                               {"backward", json_minima(row.backward)}});
  }
  json["warnings"] = p.warnings;
  return json_text(json);
}

std::string render_b_min_csv(const BlockMinimumReport& report) {
  const auto& [p, scenario, layouts] = report;
  const bool causal = scenario.workload.causal;
  const CsvRow first = csv_row(report, p.layout, causal, "forward", p.b_min_forward, "scenario");
  std::string text = first.text();
  text += csv_row(report, p.layout, causal, "backward", p.b_min_backward, "scenario").row();
  for (const sim::LayoutMinima& row : layouts) {
    text += csv_row(report, name_of(row.layout), row.causal, "forward", row.forward, "layouts").row();
    text += csv_row(report, name_of(row.layout), row.causal, "backward", row.backward, "layouts").row();
  }
  return text;
}

}  // namespace ringsim::reports
