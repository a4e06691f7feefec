#pragma once
// `validate --format csv`: a row a quantity and a row a group of operations, all with the same columns.

#include "calibrate/compare/comparison.hpp"

#include <string>

namespace ringsim::reports {

/// Columns: section (quantity, operation, one-sided), name, of, measured and predicted (unit: s or share), error, what it is
/// a share of, then counts, medians and the errors of single operations. Errors are fractions.
[[nodiscard]] std::string render_csv(const calibrate::Comparison& comparison);

}  // namespace ringsim::reports
