#pragma once
// What must hold within a measurement, whoever made it.

#include "calibrate/measurement.hpp"

#include <string>

namespace ringsim::calibrate {

/// Throws Error with "file: /spans/3/end_s" in `where` for: no work at all; ranks, layers or steps out of range; ends before
/// starts; a span outside of the makespan (1e-9 of it apart); an operation of a rank twice at the same time; per-rank
/// figures that are not one a rank; a chosen repeat that is not there or has another makespan.
void check(const Measurement& measurement, const std::string& file);

}  // namespace ringsim::calibrate
