#include "reports/display.hpp"
#include "reports/text_layout.hpp"
#include "reports/verdicts.hpp"
#include "reports/why_parts.hpp"

namespace ringsim::reports {

std::string render_why_text(const WhyReport& report, const Style& style) {
  const sim::Explanation& e = report.explanation;
  const bool stages = e.prediction.stages > 1;
  std::string text = style.bold(wrap(printable(answer(e.prediction, report.scenario)), page_width, 0)) + "\n";
  text += paragraph(e.advice, 2);

  text += heading("Critical path", "", style) + paragraph(path_sentence(e), 2);
  if (!e.path.empty()) text += "\n" + text_table(segment_grid(e.path, stages), 2, style);

  text += heading("Where the time goes", share_note(e), style);
  if (!e.shares.empty()) text += text_table(share_grid(e, 30), 2, style);

  text += heading("Critical cycle", "", style) + paragraph(cycle_sentence(e), 2);
  if (e.cycle && e.rank_changes > 0) text += "\n" + text_table(segment_grid(e.cycle->segments, stages), 2, style);

  text += heading("What a change would do", "to the makespan", style);
  text += text_table(sensitivity_grid(e), 2, style) + footnotes(sensitivity_notes(e), style);
  return text + warnings_section(e.prediction.warnings, style);
}

}  // namespace ringsim::reports
