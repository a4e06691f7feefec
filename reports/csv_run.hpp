#pragma once
// `run --format csv`: one header and one row, so that rows of many runs make a table.

#include "sim/prediction.hpp"

#include <string>

namespace ringsim::reports {

/// Columns are named as the JSON keys, nested ones joined by "_"; the memory terms and the ranks are left to JSON, so
/// that every run has the same columns. Warnings are joined by "; ".
[[nodiscard]] std::string render_csv(const sim::Prediction& prediction);

}  // namespace ringsim::reports
