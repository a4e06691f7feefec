#pragma once
// What the figures of a whole model mean: printed wherever they are shown, since tools define them differently.
//
//   MFU   model FLOP / (GPUs · peak · time)   products of the active parameters (2 FLOP a parameter and token, forward) and
//                                             attention over the entries that the mask leaves; a backward pass is twice its
//                                             forward pass; nothing that is computed a second time
//   HFU   the same with all FLOP that the hardware computes
//   TTFT  start of a prefill to the logits of the first new token; no queue
//   TPOT  time between two tokens of one sequence: (end to end − TTFT) / (tokens − 1)
//
// MFU and HFU as Chowdhery et al., arXiv 2204.02311 (PaLM), appendix B, tell them apart; the causal mask counts here as half.

#include "sim/prediction.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

inline constexpr std::string_view mfu_definition =
    "model FLOP / (GPUs used x peak x time): products with the active parameters and attention over what the mask "
    "leaves; "
    "a backward pass counts twice its forward pass, what is computed again counts once";
inline constexpr std::string_view hfu_definition =
    "as MFU, with every FLOP that is computed: what the backward pass computes again too (attention scores, "
    "activations "
    "under recomputation)";
inline constexpr std::string_view ttft_definition =
    "from the start of the prefill until the logits of the first new token are there; no waiting in a queue";
inline constexpr std::string_view tpot_definition =
    "time between two tokens of one sequence, (end to end - TTFT) / (tokens - 1), over the tokens that are generated; "
    "not "
    "divided by the batch";
inline constexpr std::string_view step_definition =
    "one optimiser step: forward and backward passes of all micro-batches, the exchange of gradients, and the update";

/// "MFU: ..." of every such figure that the text of a run shows: none for attention alone, whose figures its scope explains.
[[nodiscard]] std::vector<std::string> definitions_of(const sim::Prediction& prediction);

}  // namespace ringsim::reports
