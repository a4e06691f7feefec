#pragma once
// `run` for people on a terminal.

#include "models/scenario.hpp"
#include "reports/style.hpp"
#include "sim/prediction.hpp"

#include <string>

namespace ringsim::reports {

/// The answer in three sentences, then aligned sections: setup, time, B_min, memory, bottleneck, warnings.
[[nodiscard]] std::string render_text(const sim::Prediction& prediction, const Scenario& scenario, const Style& style);

}  // namespace ringsim::reports
