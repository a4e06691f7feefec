#include "reports/text_measurement.hpp"

#include "reports/display.hpp"
#include "reports/humanise.hpp"
#include "reports/measurement_parts.hpp"
#include "reports/run_parts.hpp"
#include "reports/text_layout.hpp"

#include <fmt/format.h>

namespace ringsim::reports {
namespace {

std::string time_sections(const calibrate::Measurement& m, const sim::RunSummary& run, const Style& style) {
  std::string text = heading("Time", fmt::format("of the slowest rank, {}", human_count(run.slowest_rank)), style);
  text += text_table(time_grid(run, m.definition.layers, false), 2, style);
  text += share_bar(run, 60, style);
  if (run.overlap) {
    text +=
        "\n" + text_fields({{"overlap", human_percent(*run.overlap) + " of the time in flight is hidden"}}, 2, style);
  }
  if (run.per_rank.size() <= 1) return text;
  const Grid ranks = rank_grid(run);
  text += heading("Ranks",
                  ranks.rows.size() == run.per_rank.size()
                      ? ""
                      : fmt::format("{} of {}", ranks.rows.size(), human_count(m.definition.ring)),
                  style);
  return text + text_table(ranks, 2, style);
}

}  // namespace

std::string diagnosis_section(const calibrate::Diagnosis& diagnosis, const Style& style) {
  if (diagnosis.sentences.empty()) return {};
  std::string text = heading("Diagnosis", "of the measured run", style);
  for (const std::string& sentence : diagnosis.sentences) text += paragraph(sentence, 2);
  const Grid figures = diagnosis_grid(diagnosis);
  return text + (figures.rows.empty() ? "" : text_table(figures, 2, style));
}

std::string render_text(const calibrate::Measurement& m, const calibrate::Diagnosis& diagnosis, const Style& style) {
  const std::optional<sim::RunSummary> run = measured_run(m);
  std::string text = style.bold(wrap(printable(measured_answer(m)), page_width, 0)) + "\n";
  if (run) text += verdict_line(transfers_verdict(*run, m.definition.ring), style);
  if (m.environment.device != "import") text += verdict_line(check_verdict(m), style);

  text += heading("Setup", "", style);
  text += text_fields(measured_setup_fields(m), 2, style);
  if (run) text += time_sections(m, *run, style);
  text += heading("Operations", "of all ranks", style);
  text += text_table(operation_grid(m), 2, style);
  text += diagnosis_section(diagnosis, style);
  return text + notes_section(m.notes, style);
}

}  // namespace ringsim::reports
