#pragma once
// The sections of a report that answers a question (reports/answer_page.hpp), on a page.

#include "reports/answer_page.hpp"
#include "reports/html/page.hpp"

namespace ringsim::reports {

/// A section's table and fields. `id`: of its heading.
[[nodiscard]] HtmlSection html_section(const Section& section, const std::string& id);

/// What to do next; commands apart from sentences.
[[nodiscard]] HtmlSection next_section(const std::vector<std::string>& next);

}  // namespace ringsim::reports
