#pragma once
// `run --format json`: one object, complete and exact.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <string>

namespace ringsim::reports {

/// What a run has beyond a ring of attention: json_model.hpp. Keys, units and meaning: docs of the command line. `per_rank` lists up to 64 ranks, of more only the slowest, the
/// fastest, the most exposed, the most idle, the first and the last (`per_rank_listed` says "all" or "extremes").
[[nodiscard]] std::string render_json(const sim::Prediction& prediction, const Scenario& scenario);

}  // namespace ringsim::reports
