#pragma once
// `show` for machines and tables: every value of the resolved scenario, and where it comes from. As text it is a
// scenario file, which scenarios/format.hpp writes.

#include "models/scenario.hpp"

#include <string>

namespace ringsim::reports {

/// [{key, value, origin}], values as text in the scenario language.
[[nodiscard]] std::string render_show_json(const Scenario& scenario);
[[nodiscard]] std::string render_show_csv(const Scenario& scenario);
[[nodiscard]] std::string render_show_markdown(const Scenario& scenario);

}  // namespace ringsim::reports
