#pragma once
// How much a simulation of a scenario has to do, to keep pictures of large rings from taking minutes.
//
//   rank-steps = ranks · steps · layers of a stage's rings · passes · chunks      (a decode step has no steps: ranks · layers)
//
// A rough count: the recurrence, observed, works through some fifty million of them a second and thread.

#include "models/scenario.hpp"

namespace ringsim::sim {

[[nodiscard]] inline double rank_steps(const Scenario& s) {
  const auto ring = static_cast<double>(s.parallel.ring);
  const auto layers = static_cast<double>(s.model.layers);
  if (s.workload.phase == Phase::decode) return ring * layers;
  double passes = (runs_forward(s.workload.phase) ? 1.0 : 0.0) + (runs_backward(s.workload.phase) ? 1.0 : 0.0);
  if (s.workload.chunk > 0 && s.workload.chunk < s.workload.tokens) {
    passes *= static_cast<double>((s.workload.tokens + s.workload.chunk - 1) / s.workload.chunk);
  }
  return ring * ring * layers * passes;
}

}  // namespace ringsim::sim
