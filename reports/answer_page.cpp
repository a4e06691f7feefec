#include "reports/answer_page.hpp"

#include "reports/display.hpp"
#include "reports/text_layout.hpp"

namespace ringsim::reports {

std::string text_page(const AnswerPage& page, const Style& style) {
  std::string text = style.bold(wrap(printable(page.answer), page_width, 0)) + "\n";
  for (const Section& section : page.sections) {
    text += heading(section.title, section.note, style);
    if (!section.grid.rows.empty()) text += text_table(section.grid, 2, style);
    text += text_fields(section.fields, 2, style);
  }
  if (page.next.empty()) return text;
  text += heading("Next", "", style);
  for (const std::string& line : page.next) {
    // Commands are copied: they are not broken into lines.
    text += line.starts_with("ringsim ") ? "  " + printable(line) + "\n" : paragraph(line, 2);
  }
  return text;
}

std::string markdown_page(const AnswerPage& page) {
  std::string text = "## " + markdown_escape(page.title) + "\n\n";
  text += "**" + markdown_escape(page.answer) + "**\n";
  for (const Section& section : page.sections) {
    text += markdown_section(section.title + (section.note.empty() ? "" : ": " + section.note));
    if (!section.grid.rows.empty()) text += markdown_table(section.grid);
    if (!section.fields.empty()) text += markdown_fields(section.fields);
  }
  if (!page.next.empty()) text += markdown_section("Next") + markdown_list(page.next);
  return text;
}

}  // namespace ringsim::reports
