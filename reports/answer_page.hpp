#pragma once
// A report that answers a question: the answer, sections that say where it comes from, and what to do next.

#include "reports/model_sections.hpp"
#include "reports/style.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

struct AnswerPage {
  std::string title;  // Markdown alone
  std::string answer;
  std::vector<Section> sections;
  std::vector<std::string> next;  // commands and sentences, a line each
};

[[nodiscard]] std::string text_page(const AnswerPage& page, const Style& style);
[[nodiscard]] std::string markdown_page(const AnswerPage& page);

}  // namespace ringsim::reports
