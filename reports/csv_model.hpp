#pragma once
// The columns of `run --format csv` that a run has beyond a ring of attention: all of them or none.

#include "models/scenario.hpp"
#include "reports/csv.hpp"
#include "sim/prediction.hpp"

namespace ringsim::reports {

/// Named as the JSON keys; of the traffic the sums inside and between nodes, of the pipeline its size alone.
void add_model(CsvRow& row, const sim::Prediction& prediction, const Scenario& scenario);

}  // namespace ringsim::reports
