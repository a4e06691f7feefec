#pragma once
// From what the ranks of an execution wrote down to a Measurement.

#include "calibrate/measurement.hpp"
#include "kernels/host/recording.hpp"
#include "sim/program.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim::calibrate {

/// A program's executions, one recording a repeat.
struct MeasuredRepeats {
  std::vector<host::Recording> recordings;
  std::int64_t warmup = 0;  // executions before them
  std::optional<CheckOutcome> check;
};

/// Replays every repeat for its makespan, and the one with the median makespan (of an even number the shorter of the two in the
/// middle) for its spans and the time of every rank. `program` is the scenario's. Names, `scenario_yaml` apart, come from the
/// scenario. Throws Error without repeats. Below six repeats the interval of the median covers less than 95 %, and a note says so.
[[nodiscard]] Measurement measurement_of(const Scenario& scenario, const sim::Program& program,
                                         const MeasuredRepeats& repeats, Environment environment);

}  // namespace ringsim::calibrate
