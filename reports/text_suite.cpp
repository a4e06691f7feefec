#include "reports/display.hpp"
#include "reports/suite_parts.hpp"
#include "reports/suite_report.hpp"
#include "reports/text_layout.hpp"

namespace ringsim::reports {

std::string render_suite_text(const calibrate::SuiteResult& result, bool rows, const Style& style) {
  std::string text = style.bold(wrap(suite_answer(result), page_width, 0)) + "\n";
  text += heading("Sets", "error: (predicted - measured) / measured time", style);
  text += text_table(suite_summary_grid(result), 2, style);
  const Grid groups = suite_group_grid(result);
  if (!groups.rows.empty()) {
    text += heading("Rows that belong together", "groups whose fastest row, and whose order, is predicted", style);
    text += text_table(groups, 2, style);
  }
  text += heading("Parts of the model left out", "what they buy", style);
  text += text_table(suite_variant_grid(result), 2, style);
  if (!rows) return text;
  for (const calibrate::SetResult& set : result.sets) {
    text += heading(set.about.name, set.about.title, style);
    text += text_table(suite_row_grid(set, result, false), 2, style);
  }
  return text;
}

}  // namespace ringsim::reports
