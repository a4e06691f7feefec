#pragma once
// A run that is explained, and the same run with one parameter changed.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/critical/parameters.hpp"
#include "sim/machine.hpp"
#include "sim/phase_program.hpp"
#include "sim/phases.hpp"

#include <cstddef>
#include <vector>

namespace ringsim::sim {

struct ExplainedRun {
  const Scenario& scenario;
  const JobNetwork& network;
  std::size_t ring = 0;  // the one that ends last: index into JobNetwork::rings
  Machine machine;       // of that ring
  const std::vector<PhaseProgram>& phases;
  const LaneOf& lane_of;
};

/// Makespan [s] of that ring with a factor on what the parameter costs. Not for the block.
[[nodiscard]] double makespan_with(const ExplainedRun& run, const Parameter& parameter, double factor);

}  // namespace ringsim::sim
