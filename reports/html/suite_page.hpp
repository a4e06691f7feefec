#pragma once
// The page of `validate --suite published`: how far off predictions are, in one picture and by set.

#include "calibrate/suite/suite.hpp"
#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"

namespace ringsim::reports {

[[nodiscard]] HtmlPage suite_html(const calibrate::SuiteResult& result, const PageOrigin& origin);

}  // namespace ringsim::reports
