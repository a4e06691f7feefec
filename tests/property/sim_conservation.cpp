// Nothing gets lost on the wire, and every second of every rank is accounted for.
#include "sim/totals.hpp"
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <numeric>

namespace ringsim::sim {
namespace {

using rings::Ring;

RC_GTEST_PROP(Conservation, WhatARankSendsTheNextOneReceives, ()) {
  const Ring ring = rings::any_ring();
  const Program program = program_of(ring, rings::any_passes());
  const std::vector<double> sent = bytes_sent(program);
  const std::vector<double> received = bytes_received(program);
  const auto n = static_cast<std::size_t>(ring.ranks);
  for (std::size_t r = 0; r < n; ++r) {
    RC_ASSERT(received[(r + 1) % n] == sent[r]);
    if (ring.spec().shards.even()) RC_ASSERT(sent[r] == sent[0]);
  }
}

RC_GTEST_PROP(Conservation, UsefulFlopAreThoseOfTheMaskWhateverTheLayout, ()) {
  const Ring ring = rings::any_ring();
  const auto s = static_cast<double>(ring.tokens);
  const double pairs = (ring.causal ? s * (s + 1) / 2 : s * s) * static_cast<double>(ring.layers);
  const Program program = program_of(ring, rings::Passes::both);
  RC_ASSERT(in_flop(useful_flop(program, Pass::forward)) == 4 * pairs);
  RC_ASSERT(in_flop(useful_flop(program, Pass::backward)) == 10 * pairs);
}

RC_GTEST_PROP(Conservation, ComputeExposedAndBubbleAreTheMakespanExactly, ()) {
  Ring ring = rings::any_ring();
  ring.start_s.clear();
  rings::disturb(ring);
  TotalsObserver totals(ring.ranks);
  const RunResult result = run(ring, rings::any_passes(), &totals);
  for (const RankSummary& r : totals.summaries(result)) {
    RC_ASSERT((r.compute_s + r.exposed_communication_s) + r.bubble_s == result.makespan_s);
    RC_ASSERT(r.exposed_communication_s <= r.in_flight_s * (1 + 1e-9));
    RC_ASSERT(r.end_s <= result.makespan_s);
  }
}

}  // namespace
}  // namespace ringsim::sim
