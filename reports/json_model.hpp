#pragma once
// The keys of `run --format json` that a run has beyond a ring of attention: all of them or none, and null for what it lacks.

#include "models/scenario.hpp"
#include "reports/json_parts.hpp"
#include "sim/prediction.hpp"

namespace ringsim::reports {

/// `parallel`, `ring.exchange`, `pipeline`, `parameters`, `traffic`, `serving`, `documents`, energy, and what the figures mean.
void add_model(Json& json, const sim::Prediction& prediction, const Scenario& scenario);

/// Parts of a rank's times that a ring of attention has not.
void add_model_times(Json& rank, const sim::RankSummary& summary);

}  // namespace ringsim::reports
