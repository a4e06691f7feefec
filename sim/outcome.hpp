#pragma once
// What follows from a run of a scenario by arithmetic, written into a Prediction. All that predict at one go (sim/predict.hpp) and
// point by point (sim/figures.hpp) do it by these functions, so that both come to the same bits.
//
//   ring_efficiency = Σ useful FLOP / (ranks · F) / makespan       F: FLOP/s of a kernel of a whole block (CostModel::block_rate)
//   useful FLOP     = FLOP of the (query, key) pairs that the masks let through, each once

#include "sim/engine_choice.hpp"
#include "sim/job_run.hpp"
#include "sim/phase_program.hpp"
#include "sim/prediction.hpp"
#include "sim/schedules/ring.hpp"

#include <span>
#include <vector>

namespace ringsim::sim {

/// Useful FLOP of attention that ranks of one shape do together.
struct AttentionWork {
  RingShape shape;
  Flop forward;
  Flop backward;
  double times = 1;  // how often it counts
};
/// Of every program of a run.
[[nodiscard]] std::vector<AttentionWork> attention_work(std::span<const PhaseProgram> phases);
/// Of a ring of one pass in each direction over attention alone, without its program: the pairs of the whole sequence.
[[nodiscard]] std::vector<AttentionWork> attention_work(const RingSpec& spec, Phase phase);

/// Degrees, tokens and layers.
void count_ranks(const Scenario& scenario, Prediction& p);

/// Runs the closed form.
void run_closed_form(const RingSpec& spec, const Machine& machine, Phase phase, Prediction& p);

/// Times of the slowest rank.
void take_times(const RunSummary& run, Prediction& p);

/// ring_efficiency, and under scope attention MFU and HFU.
void ring_rates(const Scenario& scenario, const Machine& machine, std::span<const AttentionWork> work, Prediction& p);

/// Throws Error where there is no closed form of the run.
void check_closed_form(const Prediction& p);
/// Throws Error where the makespan is no time.
void check_makespan(const Prediction& p);

}  // namespace ringsim::sim
