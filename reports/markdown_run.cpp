#include "reports/markdown_run.hpp"

#include "reports/definitions.hpp"
#include "reports/humanise.hpp"
#include "reports/model_sections.hpp"
#include "reports/replica_parts.hpp"
#include "reports/run_parts.hpp"
#include "reports/verdicts.hpp"

#include <fmt/format.h>

namespace ringsim::reports {

std::string render_markdown(const sim::Prediction& p, const Scenario& scenario) {
  const sim::RunSummary run = run_of(p);
  std::string text = "## " + markdown_escape(p.scenario_name) + "\n\n";
  text += "**" + markdown_escape(answer(p, scenario)) + "**\n\n";
  text += "- " + markdown_escape(transfers_verdict(p).text) + "\n";
  text += "- " + markdown_escape(memory_verdict(p.memory).text) + "\n";
  if (p.serving) text += "- " + markdown_escape(serving_verdict(*p.serving).text) + "\n";

  text += markdown_section("Setup") + markdown_fields(setup_fields(p, scenario));
  text += markdown_section("Time " + slowest_rank_text(p)) + markdown_table(time_grid(run, time_columns(p, scenario)));
  text += "\n" + markdown_fields(figure_fields(p, scenario));
  const std::vector<std::string> definitions = definitions_of(p);
  if (!definitions.empty()) text += "\n" + markdown_list(definitions);
  if (p.replicas) {
    text += markdown_section(fmt::format("Replicas: {}", replica_heading(*p.replicas))) +
            markdown_table(replica_grid(*p.replicas));
  }
  if (!p.per_rank.empty() && p.ring_size > 1) text += markdown_section("Ranks") + markdown_table(rank_grid(run));
  for (const Section& section : model_sections(p, scenario)) {
    text += markdown_section(section.title + (section.note.empty() ? "" : ": " + section.note));
    if (!section.grid.rows.empty()) text += markdown_table(section.grid);
    if (!section.grid.rows.empty() && !section.fields.empty()) text += "\n";
    if (!section.fields.empty()) text += markdown_fields(section.fields);
  }
  if (p.ring_size > 1 && p.no_b_min.empty()) {
    text += markdown_section("B_min [tokens a rank]") + markdown_table(b_min_grid(p));
    text += "\n" + markdown_fields(b_min_fields(p));
  }
  text +=
      markdown_section("Memory " + fullest_rank_text(p)) + markdown_table(memory_grid(p.memory, p.scope == "model"));
  if (p.largest_context_tokens) text += "\n" + markdown_fields(context_fields(p));
  text += markdown_section("Bottleneck");
  text += fmt::format("**{}**. {}\n", markdown_escape(bottleneck_heading(p)), markdown_escape(p.bottleneck.sentence));
  if (!p.warnings.empty()) text += markdown_section("Warnings") + markdown_list(p.warnings);
  return text;
}

}  // namespace ringsim::reports
