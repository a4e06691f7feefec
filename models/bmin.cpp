#include "models/bmin.hpp"

#include "models/step_times.hpp"

#include <fmt/format.h>

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

BlockMinimum block_minimum_calibrated(const RingShape& shape, Pass pass, double share, const CostModel& costs,
                                      const HopCost& slowest_hop) {
  constexpr double largest = 67108864.0;  // 2^26 tokens a rank
  constexpr double ratio = 0.99;
  const auto hidden = [&](double block) {
    return steady_compute(pass, share, costs, block) >=
           CostModel::hop(slowest_hop, steady_bytes_per_token(shape, pass) * block);
  };
  if (!hidden(largest)) {
    return {std::nullopt,
            fmt::format("no block up to {:.0f} tokens a rank computes as long as its transfer takes", largest)};
  }
  double above = largest;
  while (above > 1.0 && hidden(above * ratio)) above *= ratio;
  if (above <= 1.0) return {0.0, "even a block of one token computes longer than its transfer takes"};
  double below = above * ratio;
  for (int i = 0; i < 200 && above - below > 1e-12 * above; ++i) {
    const double middle = 0.5 * (above + below);
    (hidden(middle) ? above : below) = middle;
  }
  return {above, {}};
}

}  // namespace ringsim
