#pragma once
// Which tensor and ring degrees do, and why the others do not (sim/curves/degree_map.hpp).

#include "reports/html/page.hpp"
#include "sim/curves/degree_map.hpp"

namespace ringsim::reports {

/// Nothing where the map has a single cell.
[[nodiscard]] HtmlSection degree_section(const sim::DegreeMap& map);

}  // namespace ringsim::reports
