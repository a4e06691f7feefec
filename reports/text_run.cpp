#include "reports/text_run.hpp"

#include "reports/definitions.hpp"
#include "reports/display.hpp"
#include "reports/humanise.hpp"
#include "reports/model_sections.hpp"
#include "reports/replica_parts.hpp"
#include "reports/run_parts.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdicts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {

std::string render_text(const sim::Prediction& p, const Scenario& scenario, const Style& style) {
  const sim::RunSummary run = run_of(p);
  std::string text = style.bold(wrap(printable(answer(p, scenario)), page_width, 0)) + "\n";
  text += verdict_line(transfers_verdict(p), style);
  text += verdict_line(memory_verdict(p.memory), style);
  if (p.serving) text += verdict_line(serving_verdict(*p.serving), style);

  text += heading("Setup", "", style);
  text += text_fields(setup_fields(p, scenario), 2, style);

  text += heading("Time", slowest_rank_text(p), style);
  text += text_table(time_grid(run, time_columns(p, scenario)), 2, style);
  text += (p.makespan_is_bound ? "" : share_bar(run, 60, style)) + "\n";
  text += text_fields(figure_fields(p, scenario), 2, style);
  text += footnotes(definitions_of(p), style);

  if (p.replicas) {
    text += heading("Replicas", replica_heading(*p.replicas), style);
    text += text_table(replica_grid(*p.replicas), 2, style);
  }
  if (!p.per_rank.empty() && p.ring_size > 1) {
    const Grid ranks = rank_grid(run);
    text += heading(
        "Ranks",
        ranks.rows.size() == p.per_rank.size()
            ? ""
            : fmt::format("{} of {}", ranks.rows.size(), human_count(static_cast<std::int64_t>(p.per_rank.size()))),
        style);
    text += text_table(ranks, 2, style);
  }
  for (const Section& section : model_sections(p, scenario)) {
    text += heading(section.title, section.note, style);
    if (!section.grid.rows.empty()) text += text_table(section.grid, 2, style);
    text += text_fields(section.fields, 2, style);
  }
  if (p.ring_size > 1 && p.no_b_min.empty()) {
    text += heading("B_min", "tokens a rank from which a hop hides behind the computation of a step", style);
    text += text_table(b_min_grid(p), 2, style);
    text += text_fields(b_min_fields(p), 2, style);
  }
  text += heading("Memory", fullest_rank_text(p), style);
  text += text_table(memory_grid(p.memory, p.scope == "model"), 2, style);
  text += text_fields(context_fields(p), 2, style);

  text += heading("Bottleneck", bottleneck_heading(p), style);
  text += paragraph(p.bottleneck.sentence, 2);
  return text + warnings_section(p.warnings, style);
}

}  // namespace ringsim::reports
