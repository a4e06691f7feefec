#pragma once
// `run --format csv`: one header and one row, so that rows of many runs make a table.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <string>

namespace ringsim::reports {

/// Columns are named as the JSON keys, nested ones joined by "_"; the memory terms and the ranks are left to JSON, so
/// that every run has the same columns; runs beyond a ring of attention have more (csv_model.hpp). Warnings are joined by "; ".
[[nodiscard]] std::string render_csv(const sim::Prediction& prediction, const Scenario& scenario);

}  // namespace ringsim::reports
