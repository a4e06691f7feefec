#pragma once
// What a run comes to for those who pay for it: throughput, model FLOP utilisation, latency, GPU-hours, energy.
//
//   TTFT       prefill of the whole model: from the first kernel to the first token of every sequence [s]; queueing, tokenising and
//              sampling are not part of it
//   TPOT       decode: time of one token of every sequence, mean over the tokens that are generated [s]
//   step time  train: one optimiser step over all sequences [s]
//   MFU, HFU   models/block/model_flop.hpp, of the whole model; under scope attention of its attention
//   tokens/s   prefill and train: tokens of all sequences / makespan; decode: generated tokens / makespan

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <string>

namespace ringsim::sim {

/// Fills what follows from the makespan and the scenario.
void model_rates(const Scenario& scenario, Prediction& p);

/// Why a steady step and B_min do not apply: they are of a ring whose K/V go from rank to rank, one way, in one pass over attention
/// alone. Empty: they do.
[[nodiscard]] std::string why_no_b_min(const Scenario& scenario);

}  // namespace ringsim::sim
