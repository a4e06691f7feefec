#pragma once
// The critical cycle of a loop over layers: what its steady state goes round in.

#include "sim/critical/explanation.hpp"
#include "sim/recurrence/operation_durations.hpp"
#include "sim/recurrence/tape.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace ringsim::sim {

struct CycleFinding {
  std::optional<CriticalCycle> cycle;
  std::string why_not = "no loop over layers lies on the critical path";
  double loop_s = 0;  // of the critical path in that loop
};

[[nodiscard]] CycleFinding find_critical_cycle(const Tape& tape, const Program& program, OperationDurations& durations,
                                               std::size_t loop);

}  // namespace ringsim::sim
