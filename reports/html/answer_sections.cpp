#include "reports/html/answer_sections.hpp"

namespace ringsim::reports {

HtmlSection html_section(const Section& section, const std::string& id) {
  HtmlSection html{id, section.title, section.note, {}};
  if (!section.grid.rows.empty()) html.blocks.emplace_back(section.grid);
  if (!section.fields.empty()) html.blocks.emplace_back(section.fields);
  return html;
}

HtmlSection next_section(const std::vector<std::string>& next) {
  HtmlSection html{"next", "Next", "", {}};
  for (const std::string& line : next) {
    if (line.starts_with("ringsim ")) {
      html.blocks.emplace_back(Commands{{line}});
    } else {
      html.blocks.emplace_back(Paragraph{line});
    }
  }
  return html;
}

}  // namespace ringsim::reports
