#pragma once
// The measurement file: what `ringsim measure --format json` prints and --output writes; calibrate/measurement_json reads
// it. Numbers read back as the same doubles.

#include "calibrate/measurement.hpp"

#include <string>

namespace ringsim::reports {

/// One object, complete: kind "ringsim-measurement". Spans and totals stand one a line, so that files of many spans stay
/// short and can be compared line by line.
[[nodiscard]] std::string render_json(const calibrate::Measurement& measurement);

}  // namespace ringsim::reports
