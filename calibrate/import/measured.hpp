#pragma once
// Runs that other programs measured, as measurements: PyTorch profiler traces and Nsight Systems kernel tables.

#include "calibrate/import/trace.hpp"
#include "calibrate/measurement.hpp"
#include "models/scenario.hpp"

#include <vector>

namespace ringsim::calibrate {

/// The measurement that `files` hold of a run of `scenario`: traces (a file a rank), or one kernel table. Its makespan is that
/// of the mapped operations of a trace: from the start of the first to the end of the last, over all ranks; a kernel table
/// has none. Nothing is known of waits. What was left out or could not be told stands in the notes. Throws Error for other
/// files, and where they hold no operation of a ring.
[[nodiscard]] Measurement import_measurement(const Scenario& scenario, const std::vector<NamedText>& files,
                                             const std::vector<NamePattern>& patterns);

}  // namespace ringsim::calibrate
