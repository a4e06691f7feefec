#include "reports/verdicts.hpp"
#include "reports/why_parts.hpp"

namespace ringsim::reports {

std::string render_why_markdown(const WhyReport& report) {
  const sim::Explanation& e = report.explanation;
  const bool stages = e.prediction.stages > 1;
  std::string text = "## " + markdown_escape(e.prediction.scenario_name) + "\n\n";
  text += "**" + markdown_escape(answer(e.prediction, report.scenario)) + "**\n\n" + markdown_escape(e.advice) + "\n";
  text += markdown_section("Critical path") + markdown_escape(path_sentence(e)) + "\n";
  if (!e.path.empty()) text += "\n" + markdown_table(segment_grid(e.path, stages));
  text += markdown_section("Where the time goes: " + share_note(e));
  if (!e.shares.empty()) text += markdown_table(share_grid(e, 0));
  text += markdown_section("Critical cycle") + markdown_escape(cycle_sentence(e)) + "\n";
  if (e.cycle && e.rank_changes > 0) text += "\n" + markdown_table(segment_grid(e.cycle->segments, stages));
  text += markdown_section("What a change would do to the makespan") + markdown_table(sensitivity_grid(e)) + "\n" +
          markdown_list(sensitivity_notes(e));
  if (!e.prediction.warnings.empty()) text += markdown_section("Warnings") + markdown_list(e.prediction.warnings);
  return text;
}

}  // namespace ringsim::reports
