#pragma once
// Random rings for properties: sizes, layouts, costs, and what ranks differ in.

#include "tests/unit/sim/rings.hpp"

#include <rapidcheck.h>

namespace ringsim::sim::rings {

/// A number in [from, to], on a grid of a thousandth.
inline double number(double from, double to) {
  return from + (to - from) * static_cast<double>(*rc::gen::inRange(0, 1001)) / 1000;
}

inline bool coin() { return *rc::gen::arbitrary<bool>(); }

/// Up to 64 ranks that differ in hops, speed and start.
inline Ring any_ring() {
  Ring ring;
  ring.ranks = coin() ? *rc::gen::inRange<std::int64_t>(1, 9) : *rc::gen::inRange<std::int64_t>(9, 65);
  ring.layout = *rc::gen::element(Layout::contiguous, Layout::striped, Layout::zigzag);
  ring.tokens = ring.ranks * 2 * *rc::gen::inRange<std::int64_t>(1, 5);
  if (ring.layout != Layout::zigzag) ring.tokens += *rc::gen::inRange<std::int64_t>(0, ring.ranks);
  ring.causal = coin();
  ring.buffers = *rc::gen::inRange<std::int64_t>(2, 4);
  ring.layers = *rc::gen::inRange<std::int64_t>(1, 4);
  ring.backward_travels = coin() ? Rotation::kv : Rotation::q;
  ring.gradient = coin() ? GradientDtype::bf16 : GradientDtype::fp32;
  ring.pair_s = number(0.1, 3);
  ring.token_s = number(0.1, 10);
  ring.latency_s = coin() ? 0 : number(0, 5);
  ring.merge_bytes_per_s = coin() ? 0 : number(5, 50);
  for (std::int64_t r = 0; r < ring.ranks; ++r) {
    ring.hop_factor.push_back(number(0.5, 3));
    ring.slowdown.push_back(number(0.5, 3));
    ring.start_s.push_back(number(0, 20));
  }
  return ring;
}

/// Kernels and hops disturb each other, contend for SMs, or neither.
inline void disturb(Ring& ring) {
  ring.contest = coin();
  ring.event_latency_s = ring.contest ? number(0, 3) : 0;
  if (!ring.contest && coin()) {
    const auto any = [] { return RateShares{number(0.01, 1), number(0.01, 1)}; };
    ring.sharing = coin() ? rings::Sharing(any()) : rings::Sharing(any(), any(), any());
  }
  if (coin()) ring.issue_s = number(0, 3);
}

inline Passes any_passes() { return *rc::gen::element(Passes::forward, Passes::backward, Passes::both); }

}  // namespace ringsim::sim::rings
