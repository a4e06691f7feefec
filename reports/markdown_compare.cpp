#include "reports/compare_parts.hpp"
#include "reports/display.hpp"
#include "reports/table.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

std::string render_markdown(const ScenarioComparison& c) {
  std::string text =
      "## A: " + markdown_escape(c.a.scenario.name) + ", B: " + markdown_escape(c.b.scenario.name) + "\n\n";
  text += "**" + markdown_escape(compared_answer(c)) + "**\n\n";
  std::vector<std::string> sentences;
  for (const std::string& sentence : {explained_sentence(c), time_parts_sentence(c), compared_memory_sentence(c)}) {
    if (!sentence.empty()) sentences.push_back(sentence);
  }
  text += markdown_list(sentences);
  const std::string next =
      markdown_section("Next") + markdown_escape(next_question(c)) + "\n\n    " + printable(next_command(c)) + "\n";
  if (c.inputs.empty()) return text + next;
  if (c.time && !c.time->parts.empty()) {
    text += markdown_section("Explained: " + explained_heading(c)) + markdown_table(explained_grid(c));
    const std::vector<std::string> remarks = explained_remarks(c);
    if (!remarks.empty()) text += "\n" + markdown_list(remarks);
  }
  text += markdown_section("Inputs that differ") + markdown_table(input_grid(c));
  text += markdown_section("Side by side") + markdown_table(compared_grid(c));
  const std::vector<std::string> not_compared = not_compared_sentences(c);
  if (!not_compared.empty()) text += markdown_section("Not compared") + markdown_list(not_compared);
  text += markdown_section("Memory of the fullest GPU") + markdown_table(compared_memory_grid(c));
  text += markdown_section("Setup") + markdown_fields(compared_setup_fields(c));
  text += markdown_section("Bottleneck") + markdown_fields(compared_bottleneck_fields(c));
  const std::vector<std::string> warnings = one_sided_warnings(c);
  if (!warnings.empty()) text += markdown_section("Warnings") + markdown_list(warnings);
  if (!c.notes.empty()) text += markdown_section("Notes") + markdown_list(c.notes);
  return text + next;
}

}  // namespace ringsim::reports
