#include "reports/markdown_run.hpp"

#include "reports/humanise.hpp"
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

  text += markdown_section("Setup") + markdown_fields(setup_fields(p, scenario));
  text += markdown_section(fmt::format("Time of the slowest rank, {}", human_count(p.slowest_rank))) +
          markdown_table(time_grid(run, p.layers, p.makespan_is_bound));
  text += "\n" + markdown_fields(figure_fields(p, scenario));
  if (p.replicas) {
    text += markdown_section(fmt::format("Replicas: {}", replica_heading(*p.replicas))) +
            markdown_table(replica_grid(*p.replicas));
  }
  if (!p.per_rank.empty() && p.ring_size > 1) text += markdown_section("Ranks") + markdown_table(rank_grid(run));
  if (p.ring_size > 1) {
    text += markdown_section("B_min [tokens a rank]") + markdown_table(b_min_grid(p));
    text += "\n" + markdown_fields(b_min_fields(p));
  }
  text += markdown_section("Memory of the rank with the largest block") + markdown_table(memory_grid(p.memory));
  text += markdown_section("Bottleneck");
  text += fmt::format("**{}**. {}\n", markdown_escape(bottleneck_heading(p)), markdown_escape(p.bottleneck.sentence));
  if (!p.warnings.empty()) text += markdown_section("Warnings") + markdown_list(p.warnings);
  return text;
}

}  // namespace ringsim::reports
