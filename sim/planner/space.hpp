#pragma once
// Which plans a search looks at.
//
//   GPUs       within a node its divisors; beyond it whole nodes: every number of them up to 16, then eight an octave (18, 20, ...,
//              32, 36, ...), and the most that are allowed. Jobs are given whole nodes, or equal parts of one.
//   degrees    all products tensor · ulysses · ring · pipeline · data of such a number
//   expert     of a mixture all divisors of the experts that divide ulysses · ring · data
//   order      all orders of the axes above 1; a single one inside a node whose GPUs are all alike (one NVSwitch)
//   layout     under a causal mask all three, else the scenario's and contiguous
//   exchange   one-way (K/V or Q, in training each pass for itself), both-ways (heads or tokens), two-level over nodes and, where the
//              scenario names them, inner rings of that size; all-gather. A ring of one has no exchange.
//   recompute  none, selective, full: of whole models in training
//   chunk      of a prefill: none and the scenario's; where a pipeline waits to be filled also the sequence in 2, 4, 8, 16 and 32
//              parts of at least 4 Ki tokens, and without one, where the whole does not fit, in the fewest of these that do

#include "sim/planner/plan.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

/// Ascending; at most `most`.
[[nodiscard]] std::vector<std::int64_t> gpu_counts(std::int64_t most, std::int64_t gpus_per_node);

/// All ways of writing `gpus` as a product of the five degrees.
[[nodiscard]] std::vector<Degrees> degree_sets(std::int64_t gpus);

/// Whether the model, the batch and the workload allow the degrees (models/legality.hpp), without saying why not.
[[nodiscard]] bool allows(const Scenario& scenario, const Degrees& degrees);

/// Whether a plan's layout, degrees and chunk divide the tokens and heads as they must, likewise. The degrees must be allowed.
[[nodiscard]] bool divides(const Scenario& with_plan);

[[nodiscard]] std::vector<std::int64_t> expert_degrees(const Scenario& scenario, const Degrees& degrees);
[[nodiscard]] std::vector<std::array<Axis, 5>> orders(const Scenario& scenario, const Degrees& degrees);
[[nodiscard]] std::vector<RingChoice> ring_choices(const Scenario& scenario, const Degrees& degrees);
[[nodiscard]] std::vector<Recompute> recomputations(const Scenario& scenario);
/// Those that are always looked at, and those that are where the sequence must be cut.
struct Chunks {
  std::vector<std::int64_t> always;
  std::vector<std::int64_t> where_needed;
};
[[nodiscard]] Chunks chunks(const Scenario& scenario);

}  // namespace ringsim::sim
