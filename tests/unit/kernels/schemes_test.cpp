// Schemes beyond the one-way ring compute attention, too: outputs and gradients of executed programs equal the reference,
// over layouts, masks, heads, lengths, buffers, cached tokens and the orders that streams and events allow. An order that
// a missing wait allows would show as a wrong result (missing_wait_test.cpp).
#include "tests/unit/kernels/inputs.hpp"

#include <gtest/gtest.h>

namespace ringsim::host {
namespace {

using inputs::Ring;

constexpr double double_error = 1e-12;

void expect_reference(const Ring& ring) {
  SCOPED_TRACE(ring.text());
  const sim::Program program = ring.program();
  const auto expected = inputs::expected(ring);
  for (const Order order : {Order::issue, Order::transfers_first, Order::transfers_last, Order::random}) {
    EXPECT_LE(inputs::deviation<double>(ring, program, expected, {order, 1}, {3, 3}), double_error);
  }
}

// What every scheme is tried with: layouts with even and uneven shards, masks (of two layers that differ among them), equal
// and grouped heads and two sequences, two and three buffers.
std::vector<Ring> variants(std::int64_t ranks) {
  std::vector<Ring> all;
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    Ring ring{.layout = layout, .ranks = ranks};
    ring.tokens = layout == Layout::zigzag ? 6 * ranks : 4 * ranks + ranks / 2;
    for (const auto& masks :
         std::vector<std::vector<Mask>>{{{false, std::nullopt}}, {{true, 3}, {true, std::nullopt}}}) {
      ring.masks = masks;
      ring.heads = {1, 2, 2, 3, 3};
      ring.buffers = 2;
      all.push_back(ring);
      ring.heads = {2, 6, 3, 2, 3};
      ring.buffers = 3;
      all.push_back(ring);
    }
  }
  return all;
}

TEST(Schemes, QueriesThatTravelForward) {
  for (const std::int64_t ranks : {1, 2, 3, 5}) {
    for (Ring ring : variants(ranks)) {
      ring.travels = Rotation::q;
      ring.backward_travels = ring.buffers == 2 ? Rotation::kv : Rotation::q;
      expect_reference(ring);
    }
  }
}

TEST(Schemes, AllGather) {
  for (const std::int64_t ranks : {1, 3, 4}) {
    for (Ring ring : variants(ranks)) {
      ring.exchange = Exchange::all_gather;
      expect_reference(ring);
    }
  }
}

TEST(Schemes, BothWaysRound) {
  for (const std::int64_t ranks : {1, 2, 3, 4}) {
    for (const Halves halves : {Halves::heads, Halves::tokens}) {
      for (Ring ring : variants(ranks)) {
        ring.exchange = Exchange::both_ways;
        ring.halves = halves;
        expect_reference(ring);
      }
    }
  }
}

TEST(Schemes, BothWaysRoundWithOneTokenARank) {
  // The second half of one token is none: its messages and kernels are empty.
  expect_reference({.ranks = 4,
                    .tokens = 4,
                    .masks = {{false, std::nullopt}},
                    .exchange = Exchange::both_ways,
                    .halves = Halves::tokens});
}

TEST(Schemes, TwoLevels) {
  for (const auto& [ranks, inner] :
       std::vector<std::pair<std::int64_t, std::int64_t>>{{4, 2}, {6, 3}, {6, 2}, {8, 2}}) {
    for (Ring ring : variants(ranks)) {
      ring.exchange = Exchange::two_level;
      ring.inner = inner;
      expect_reference(ring);
    }
  }
}

TEST(Schemes, UlyssesAroundAnyRing) {
  // Alone (a ring of one), around a ring each way, and around gathered keys.
  for (const std::int64_t ranks : {1, 2, 3}) {
    for (Ring ring : variants(ranks)) {
      ring.ulysses = 2;
      ring.exchange = ring.buffers == 2 ? Exchange::one_way : Exchange::both_ways;
      expect_reference(ring);
      if (ring.layout == Layout::zigzag) continue;
      ring.exchange = Exchange::all_gather;
      expect_reference(ring);
    }
  }
}

TEST(Schemes, UlyssesBeyondTheKeyHeads) {
  // Four ranks of two query heads and one key/value head each, of two such heads in all: two ranks have the same one,
  // and its gradient is the sum of theirs.
  for (const std::int64_t ranks : {1, 2}) {
    expect_reference({.ranks = ranks, .tokens = 11, .heads = {2, 2, 1, 3, 2}, .ulysses = 4, .kv_heads_outside = 2});
  }
}

TEST(Schemes, CachedTokensAreKeysOfEveryScheme) {
  // Seven (of zigzag eight) cached tokens: three ranks hold one more than the others, or none at all with two of them.
  for (const Exchange exchange : {Exchange::one_way, Exchange::both_ways, Exchange::two_level, Exchange::all_gather}) {
    for (const Rotation travels : {Rotation::kv, Rotation::q}) {
      if (exchange != Exchange::one_way && travels == Rotation::q) continue;
      for (const std::int64_t ulysses : {1, 2}) {
        for (Ring ring : variants(4)) {
          ring.trains = false;
          ring.exchange = exchange;
          ring.travels = travels;
          ring.inner = exchange == Exchange::two_level ? 2 : 1;
          ring.halves = ring.buffers == 2 ? Halves::heads : Halves::tokens;
          ring.ulysses = ulysses;
          for (const std::int64_t cached : {2, 7}) {
            ring.cached = ring.layout == Layout::zigzag ? 8 : cached;
            expect_reference(ring);
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace ringsim::host
