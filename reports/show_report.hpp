#pragma once
// `show`: every value of the resolved scenario, and where it comes from.

#include "models/scenario.hpp"
#include "reports/style.hpp"

#include <string>

namespace ringsim::reports {

/// A scenario file with every default written, each line ending in a comment that names the value's origin.
[[nodiscard]] std::string render_show_text(const Scenario& scenario, const Style& style);
/// [{key, value, origin}], values as text in the scenario language.
[[nodiscard]] std::string render_show_json(const Scenario& scenario);
[[nodiscard]] std::string render_show_csv(const Scenario& scenario);
[[nodiscard]] std::string render_show_markdown(const Scenario& scenario);

}  // namespace ringsim::reports
