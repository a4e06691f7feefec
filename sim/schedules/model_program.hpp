#pragma once
// The front door to what a scenario executes: its phase as programs that run one after the other.
//
//   scope attention   the attention of all layers
//         model       a whole forward pass, optimiser step or token: embedding, layers, logits, with what tensor, expert,
//                     data parallelism and a pipeline add
//
//   prefill   one program; with workload.chunk one for each chunk, which stands behind what is cached of the sequence
//   train     one program: an optimiser step, all micro-batches
//   decode    programs of one token of every sequence at up to three lengths of the cache, each with how many of the output tokens
//             it stands for
//
// A program works on program.shape.heads.batch sequences at a time, which are fewer than those of the scenario's rank where
// micro-batches, pipeline or a decode ring divide them: costs are those of program.shape (machine_for).

#include "models/scenario.hpp"
#include "sim/machine.hpp"
#include "sim/phase_program.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ringsim::sim {

/// Throws Error where no schedule exists for what the scenario asks.
[[nodiscard]] std::vector<PhaseProgram> programs_of(const Scenario& scenario);

/// A scenario's machine with the costs of a program's shape.
[[nodiscard]] Machine machine_for(const Program& program, const Machine& of_scenario);

/// Passes over the new tokens behind a cached prefix, under scope model: one, or one a chunk.
[[nodiscard]] std::vector<Program> prefill_programs(const Scenario& scenario);
/// One optimiser step.
[[nodiscard]] Program training_program(const Scenario& scenario);
/// One token of every sequence, and how many of workload.output_tokens each program stands for.
[[nodiscard]] std::vector<std::pair<Program, double>> decode_programs(const Scenario& scenario);

/// Scenarios of the passes over a sequence: one, or one a chunk.
[[nodiscard]] std::vector<Scenario> passes_of_prefill(const Scenario& scenario);

}  // namespace ringsim::sim
