#pragma once
// What the figures of a whole model mean: printed wherever they are shown, since tools define them differently.
//
//   MFU   model FLOP / (GPUs · peak · time); what model FLOP are: models/block/model_flop.hpp
//   HFU   the same with all FLOP that are executed
//   TTFT  first kernel of a prefill to the logits of the first new token of every sequence; no queue, no sampling
//   TPOT  time between two tokens of one sequence: (end to end − TTFT) / (tokens − 1)
//
// MFU and HFU as Chowdhery et al., arXiv 2204.02311 (PaLM), appendix B, tell them apart; a causal mask halves attention.

#include "sim/prediction.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

inline constexpr std::string_view mfu_definition =
    "model FLOP / (GPUs used x peak x time): products with the active parameters and attention over what the mask "
    "leaves; a backward pass counts twice its forward pass, what is computed again counts once";
inline constexpr std::string_view hfu_definition =
    "as MFU, with every FLOP that is executed: attention scores that the backward pass computes again, and all layers "
    "under full recomputation";
inline constexpr std::string_view ttft_definition =
    "from the first kernel of the prefill until the logits of the first new token of every sequence are there; no "
    "queue, no sampling";
inline constexpr std::string_view tpot_definition =
    "time between two tokens of one sequence, (end to end - TTFT) / (tokens - 1), mean over the tokens that are "
    "generated; not divided by the batch";
inline constexpr std::string_view step_definition =
    "one optimiser step: forward and backward passes of all micro-batches, the exchange of gradients, and the update";

/// "MFU: ..." of every such figure that the text of a run shows: none for attention alone, whose figures its scope explains.
[[nodiscard]] std::vector<std::string> definitions_of(const sim::Prediction& prediction);

}  // namespace ringsim::reports
