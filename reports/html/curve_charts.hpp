#pragma once
// What other ring sizes and other networks would do (sim/curves/), as sections of a page.

#include "reports/html/page.hpp"
#include "sim/curves/bandwidth.hpp"
#include "sim/curves/scaling.hpp"

namespace ringsim::reports {

/// Time against ring size with the ideal line, and how the time is divided.
[[nodiscard]] HtmlSection scaling_section(const sim::ScalingCurve& curve);

/// Exposed communication against bandwidth, with what can be bought and from where on a hop hides.
[[nodiscard]] HtmlSection bandwidth_section(const sim::BandwidthCurve& curve);

}  // namespace ringsim::reports
