#pragma once
// `run --format markdown`: the text report as GitHub tables, for issues and design documents.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <string>

namespace ringsim::reports {

[[nodiscard]] std::string render_markdown(const sim::Prediction& prediction, const Scenario& scenario);

}  // namespace ringsim::reports
