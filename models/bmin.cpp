#include "models/bmin.hpp"

#include "models/step_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim {

double steady_share(Layout layout, bool causal) { return causal && layout != Layout::contiguous ? 0.5 : 1.0; }

Bytes steady_bytes_per_token(const RingShape& shape, Pass pass) {
  if (pass == Pass::forward) return shape.kv_per_token();
  if (shape.backward == Rotation::kv) return shape.kv_per_token() + shape.kv_gradient_per_token();
  return shape.q_bundle_per_token() + shape.q_gradient_per_token();
}

double block_minimum_closed_form(const RingShape& shape, Pass pass, double share, FlopRate f, Bandwidth w) {
  // share · FLOP(1 pair) · B² / F >= bytes a token · B / W
  const Duration transfer_per_token = steady_bytes_per_token(shape, pass) / w;
  const Duration compute_per_pair = attention_flop(shape.heads, pass, share) / f;
  return transfer_per_token / compute_per_pair;
}

namespace {

// The compute stream's time in a steady step: kernel and merges, for a block of `block` tokens.
Duration steady_compute(Pass pass, double share, const CostModel& costs, double block) {
  // A balanced causal step is half a block: zigzag's rectangles are whole × half. Which half is cut matters little;
  // the cheaper for the compute stream (deeper loop: half the queries, all keys) is the one that hides less.
  const double rows = block * share;
  return step_times(costs, pass, {rows, block, rows * block, 0}, false).all();
}

}  // namespace

// Both times grow with the block, so that all blocks from b to `above` hide once
//
//   compute(b) ≥ hop(above)
//
// The search goes down from the largest block by the longest such stretches it finds. Kernels that fill whole waves of thread blocks
// make compute a staircase, which may dip below the hop on a short stretch at the end of a stair: no grid of blocks would see it for sure.
BlockMinimum block_minimum_calibrated(const RingShape& shape, Pass pass, double share, const CostModel& costs,
                                      const HopCost& slowest_hop) {
  constexpr double largest = 67108864.0;  // 2^26 tokens a rank
  const auto compute = [&](double block) { return steady_compute(pass, share, costs, block); };
  const auto hop = [&](double block) {
    return CostModel::hop(slowest_hop, steady_bytes_per_token(shape, pass) * block);
  };
  const auto hidden = [&](double block) { return compute(block) >= hop(block); };
  if (!hidden(largest)) {
    return {std::nullopt,
            fmt::format("no block up to {:.0f} tokens a rank computes as long as its transfer takes", largest)};
  }
  double above = largest;
  double below = 1.0;
  double shortest = 1e-9;  // stretch that is still divided, as a part of the block
  for (double stretch = 0.5; above > 1.0; stretch = std::min(0.5, 2 * stretch)) {
    const Duration longest_hop = hop(above);
    below = std::max(1.0, above * (1 - stretch));
    while (compute(below) < longest_hop && stretch > shortest) {
      stretch *= 0.5;
      below = std::max(1.0, above * (1 - stretch));
    }
    if (!hidden(below)) break;
    // At the end of a stair, or where both times are the same for long: not for ever in such small steps.
    if (compute(below) < longest_hop) shortest = std::min(0.01, 1.25 * shortest);
    above = below;
  }
  if (above <= 1.0) return {0.0, "even a block of one token computes longer than its transfer takes"};
  // To the last digit, so that the way here does not matter.
  for (double middle = 0.5 * (above + below); middle > below && middle < above; middle = 0.5 * (above + below)) {
    (hidden(middle) ? above : below) = middle;
  }
  return {above, {}};
}

}  // namespace ringsim
