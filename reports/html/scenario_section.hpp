#pragma once
// What every page says of its scenario: all values, defaults and library entries too, and where each comes from.

#include "models/scenario.hpp"
#include "reports/html/page.hpp"

namespace ringsim::reports {

/// Behind a fold.
[[nodiscard]] HtmlSection scenario_section(const Scenario& scenario);

/// What a page is made from, besides its result.
struct PageOrigin {
  std::string command;  // for a shell
  std::string made_by;  // program, version, commit
  bool interactive = false;
};

/// A page with its head and nothing else.
[[nodiscard]] HtmlPage empty_page(std::string title, std::string kind, const PageOrigin& origin);

}  // namespace ringsim::reports
