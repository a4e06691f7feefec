#pragma once
// `measure --format csv`: one header and one row, so that rows of many runs make a table.

#include "calibrate/diagnose.hpp"
#include "calibrate/measurement.hpp"

#include <string>

namespace ringsim::reports {

/// Columns are named as in the measurement file, nested ones joined by "_". Times are the slowest rank's; spans, ranks and
/// single repeats are left to JSON. Notes are joined by "; ".
[[nodiscard]] std::string render_csv(const calibrate::Measurement& measurement, const calibrate::Diagnosis& diagnosis);

}  // namespace ringsim::reports
