#include "sim/schedules/model_program.hpp"

#include "sim/schedules/ring.hpp"

namespace ringsim::sim {

std::vector<PhaseProgram> programs_of(const Scenario& scenario) {
  std::vector<PhaseProgram> list;
  const bool whole = scenario.workload.scope == Scope::model;
  switch (scenario.workload.phase) {
    case Phase::decode:
      for (auto& [program, times] : decode_programs(scenario)) list.push_back({std::move(program), times, false});
      return list;
    case Phase::train:
      list.push_back({whole ? training_program(scenario) : ring_program_of(scenario)});
      return list;
    case Phase::backward:
      list.push_back({ring_program_of(scenario)});  // the whole model has no such phase: models/legality_options.cpp
      return list;
    case Phase::prefill:
      break;
  }
  if (whole) {
    for (Program& program : prefill_programs(scenario)) list.push_back({std::move(program), 1, !list.empty()});
  } else {
    for (const Scenario& pass : passes_of_prefill(scenario)) {
      list.push_back({ring_program_of(pass), 1, !list.empty()});
    }
  }
  return list;
}

Machine machine_for(const Program& program, const Machine& of_scenario) {
  Machine machine = of_scenario;
  machine.costs = of_scenario.costs.with_shape(program.shape);
  return machine;
}

}  // namespace ringsim::sim
