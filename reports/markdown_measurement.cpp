#include "reports/markdown_measurement.hpp"

#include "reports/humanise.hpp"
#include "reports/measurement_parts.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {

std::string markdown_diagnosis(const calibrate::Diagnosis& diagnosis) {
  if (diagnosis.sentences.empty()) return {};
  std::string text = markdown_section("Diagnosis of the measured run") + markdown_list(diagnosis.sentences);
  const Grid figures = diagnosis_grid(diagnosis);
  return text + (figures.rows.empty() ? "" : "\n" + markdown_table(figures));
}

std::string render_markdown(const calibrate::Measurement& m, const calibrate::Diagnosis& diagnosis) {
  const std::optional<sim::RunSummary> run = measured_run(m);
  std::string text = "## " + markdown_escape(m.scenario_name) + "\n\n";
  text += "**" + markdown_escape(measured_answer(m)) + "**\n\n";
  std::vector<std::string> verdicts;
  if (run) verdicts.push_back(transfers_verdict(*run, m.definition.ring).text);
  if (m.environment.device != "import") verdicts.push_back(check_verdict(m).text);
  text += markdown_list(verdicts);

  text += markdown_section("Setup") + markdown_fields(measured_setup_fields(m));
  if (run) {
    text += markdown_section(fmt::format("Time of the slowest rank, {}", human_count(run->slowest_rank)));
    text += markdown_table(time_grid(*run, m.definition.layers, false));
    if (run->per_rank.size() > 1) text += markdown_section("Ranks") + markdown_table(rank_grid(*run));
  }
  text += markdown_section("Operations of all ranks") + markdown_table(operation_grid(m));
  text += markdown_diagnosis(diagnosis);
  if (!m.notes.empty()) text += markdown_section("Notes") + markdown_list(m.notes);
  return text;
}

}  // namespace ringsim::reports
