#pragma once
// How busy the links of the ring are: every rank's outgoing hop over the whole run.

#include "reports/html/page.hpp"
#include "sim/prediction.hpp"

namespace ringsim::reports {

/// A bar a hop while there are at most 64, else a bar a class of links; and a line a class in a table. Nothing where nothing travels.
[[nodiscard]] HtmlSection hop_section(const sim::Prediction& prediction);

}  // namespace ringsim::reports
