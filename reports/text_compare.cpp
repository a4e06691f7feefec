#include "reports/compare_parts.hpp"
#include "reports/definitions.hpp"
#include "reports/display.hpp"
#include "reports/text_layout.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace ringsim::reports {

std::string render_text(const ScenarioComparison& c, const Style& style) {
  std::string text = style.bold(wrap(printable(compared_answer(c)), page_width, 0)) + "\n";
  for (const std::string& sentence : {explained_sentence(c), time_parts_sentence(c), compared_memory_sentence(c)}) {
    if (!sentence.empty()) text += paragraph(sentence, 2);
  }
  const std::string next =
      heading("Next", "", style) + paragraph(next_question(c), 2) + "    " + printable(next_command(c)) + "\n";
  if (c.inputs.empty()) return text + next;
  if (c.time && !c.time->parts.empty()) {
    text += heading("Explained", explained_heading(c), style);
    text += text_table(explained_grid(c), 2, style);
    for (const std::string& remark : explained_remarks(c))
      text += "  - " + wrap(printable(remark), page_width, 4) + "\n";
  }
  text += heading("Inputs that differ", "below each, values that follow from it", style);
  text += text_table(input_grid(c), 2, style);
  text += heading("Side by side", "", style);
  text += text_table(compared_grid(c), 2, style);
  const std::vector<std::string> not_compared = not_compared_sentences(c);
  if (!not_compared.empty()) {
    text += heading("Not compared", "", style);
    for (const std::string& sentence : not_compared) text += "  - " + wrap(printable(sentence), page_width, 4) + "\n";
  }
  text += heading("Memory", "of the fullest GPU", style);
  text += text_table(compared_memory_grid(c), 2, style);
  text += heading("Setup", "one line: the same", style);
  text += text_fields(compared_setup_fields(c), 2, style);
  text += heading("Bottleneck", "", style);
  text += text_fields(compared_bottleneck_fields(c), 2, style);
  std::vector<std::string> definitions = definitions_of(c.a.prediction);
  for (const std::string& definition : definitions_of(c.b.prediction)) {
    if (std::find(definitions.begin(), definitions.end(), definition) == definitions.end()) {
      definitions.push_back(definition);
    }
  }
  text += footnotes(definitions, style);
  return text + warnings_section(one_sided_warnings(c), style) + notes_section(c.notes, style) + next;
}

}  // namespace ringsim::reports
