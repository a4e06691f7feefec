// What the schemes' programs say: bytes that a rank sends by each, which hops carry them, and that all compute the same
// attention.
#include "models/error.hpp"
#include "models/pass_choice.hpp"
#include "sim/schedules/attention_layer.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>

namespace ringsim::sim {
namespace {

// One layer; `heads` are a rank's inside of attention.
RingSpec spec_of(std::int64_t ranks, std::int64_t tokens, HeadShape heads, std::int64_t cached = 0) {
  return {Shards(Layout::striped, tokens, ranks, cached),
          RingShape{heads, Dtype::bf16, GradientDtype::fp32, Rotation::kv, Rotation::kv},
          2,
          {Mask{true, std::nullopt}},
          {0}};
}

double sent(const RingSpec& spec, bool backward = false) {
  const Program program = ring_program_of(spec, !backward, backward);
  return bytes_sent(program)[0] + collective_bytes_sent(program)[0];
}

// Bytes that rank 0 sends each way.
std::map<Way, double> sent_by_way(const Program& program) {
  std::map<Way, double> bytes;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    for (const ShiftItem& item : shift->items) bytes[item.way] += in_bytes(program.sent(item, step, 0));
  });
  return bytes;
}

TEST(Schemes, OfFourRanksUlyssesUspAndRingSendThreeFourAndSixParts) {
  // Four GPUs, 16 tokens, four heads of 2 elements in bf16 with K/V heads of their own. X is one tensor of a GPU's four
  // tokens: 4 · 4 · 2 · 2 B = 64 B.
  constexpr double x = 64;
  // The ring sends K and V of a block three times: 6 X.
  EXPECT_DOUBLE_EQ(sent(spec_of(4, 16, {1, 4, 4, 2, 2})), 6 * x);
  // Ulysses sends three quarters of Q, K, V and O: 3 X.
  RingSpec ulysses = spec_of(1, 16, {1, 1, 1, 2, 2});
  ulysses.ulysses = 4;
  EXPECT_DOUBLE_EQ(sent(ulysses), 3 * x);
  // USP of two and two sends half of Q, K, V and O, 2 X, and once K and V of a block of twice the tokens and half the
  // heads, 2 X.
  RingSpec usp = spec_of(2, 16, {1, 2, 2, 2, 2});
  usp.ulysses = 2;
  EXPECT_DOUBLE_EQ(sent(usp), 4 * x);
  // Gathering sends what the ring does, at once.
  RingSpec gather = spec_of(4, 16, {1, 4, 4, 2, 2});
  gather.exchange = Exchange::all_gather;
  EXPECT_DOUBLE_EQ(sent(gather), 6 * x);
}

TEST(Schemes, BackwardSendsTheTransposes) {
  constexpr double x = 64;
  // The ring: K/V three times and fp32 dK/dV, 4 X, four times: 6 X + 16 X. Gathering: K/V again and dK/dV reduced, three
  // quarters of what all ranks have, 6 X + 12 X. Ulysses: three quarters of dO, dQ, dK, dV.
  RingSpec spec = spec_of(4, 16, {1, 4, 4, 2, 2});
  EXPECT_DOUBLE_EQ(sent(spec, true), 22 * x);
  spec.exchange = Exchange::all_gather;
  EXPECT_DOUBLE_EQ(sent(spec, true), 18 * x);
  RingSpec ulysses = spec_of(1, 16, {1, 1, 1, 2, 2});
  ulysses.ulysses = 4;
  EXPECT_DOUBLE_EQ(sent(ulysses, true), 3 * x);
}

TEST(Schemes, UlyssesSendsAKeyHeadToEveryRankThatNeedsIt) {
  // Eight ranks, eight query heads, two key/value heads of 2 elements: a head each inside, so that every rank gets one of
  // eight copies. Of a block of 16 tokens a rank sends 7/8 of (Q 1 + K 1 + V 1 + O 1) · 2 · 2 B a token.
  RingSpec spec = spec_of(1, 16, {1, 1, 1, 2, 2});
  spec.ulysses = 8;
  EXPECT_DOUBLE_EQ(sent(spec), 16 * 4 * 4 * 7.0 / 8);
  Scenario s;
  s.model.heads = 8;
  s.model.kv_heads = s.model.head_dim = 2;
  s.model.layers = 1;
  s.workload.tokens = 16;
  s.parallel.ulysses = 8;
  EXPECT_DOUBLE_EQ(sent(ring_spec(s)), 16 * 4 * 4 * 7.0 / 8);
}

TEST(Schemes, QueriesMoveFewerBytesExactlyBelowTheirShares) {
  // Sixteen query heads for each key/value head, 4,096 tokens in all: hops of Q are cheaper where less than 2/16 of them
  // are new, with the all-to-all where less than 512/8,256 are.
  const HeadShape heads{1, 16, 1, 128, 128};
  for (std::int64_t fresh = 32; fresh <= 1024; fresh += 32) {
    RingSpec kv = spec_of(4, fresh, heads, 4096 - fresh);
    RingSpec q = kv;
    q.shape.travels = Rotation::q;
    const double share = static_cast<double>(fresh) / 4096;
    const Program keys = ring_program_of(kv, true, false);
    const Program queries = ring_program_of(q, true, false);
    EXPECT_EQ(bytes_sent(queries)[0] < bytes_sent(keys)[0], share < 2.0 / 16) << fresh;
    EXPECT_EQ(sent(q) < sent(kv), share < 512.0 / 8256) << fresh;
    EXPECT_EQ(cheaper_to_move(kv.shape, fresh, 4096 - fresh) == Rotation::q, share < 512.0 / 8256) << fresh;
  }
}

TEST(Schemes, BothWaysDivideTheBytesOfOneWay) {
  // Two key/value heads: each way has one of them, or half of the four tokens. One way: three hops of 4 tokens, 16 B.
  for (const Halves halves : {Halves::heads, Halves::tokens}) {
    RingSpec spec = spec_of(4, 16, {1, 2, 2, 2, 2});
    spec.exchange = Exchange::both_ways;
    spec.halves = halves;
    const std::map<Way, double> expected = {{Way::up, 3 * 4 * 16 / 2.0}, {Way::down, 3 * 4 * 16 / 2.0}};
    EXPECT_EQ(sent_by_way(ring_program_of(spec, true, false)), expected);
    // Backward: the same, and dK/dV in fp32 four times.
    const double both = 3 * 4 * 16 / 2.0 + 4 * 4 * 32 / 2.0;
    EXPECT_EQ(sent_by_way(ring_program_of(spec, false, true)),
              (std::map<Way, double>{{Way::up, both}, {Way::down, both}}));
  }
}

TEST(Schemes, TwoLevelsLeaveTheNodeOnceATurn) {
  // Twelve ranks in inner rings of four: three turns, with three hops inside each and one between nodes after all but
  // the last. A block of K/V is one token of 4 B.
  RingSpec spec = spec_of(12, 12, {1, 1, 1, 1, 1});
  spec.exchange = Exchange::two_level;
  spec.inner = 4;
  EXPECT_EQ(sent_by_way(ring_program_of(spec, true, false)),
            (std::map<Way, double>{{Way::inner, 3 * 3 * 4.0}, {Way::outer, 2 * 4.0}}));
  // dK/dV, 8 B: four hops inside in every turn, the last of them to the block's own place, and three between nodes.
  EXPECT_EQ(sent_by_way(ring_program_of(spec, false, true)),
            (std::map<Way, double>{{Way::inner, 3 * 3 * 4.0 + 3 * 4 * 8.0}, {Way::outer, 2 * 4.0 + 3 * 8.0}}));
}

TEST(Schemes, ComputeTheWholeMaskedSquareOnce) {
  // 24 new tokens after 8: queries 8 ... 31 see 9 ... 32 keys, 492 pairs; two heads of 1 element make 8 FLOP of a pair.
  // Without cached tokens 24 · 25 / 2 = 300 pairs, of 10/4 as much work backward.
  for (const Exchange exchange : {Exchange::one_way, Exchange::both_ways, Exchange::two_level, Exchange::all_gather}) {
    for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
      for (const Rotation travels : {Rotation::kv, Rotation::q}) {
        if (exchange != Exchange::one_way && travels == Rotation::q) continue;
        RingSpec spec = spec_of(4, 24, {1, 2, 2, 1, 1});
        spec.shape.travels = travels;
        spec.exchange = exchange;
        spec.inner = 2;
        for (const Halves halves : {Halves::heads, Halves::tokens}) {
          spec.halves = halves;
          spec.shards = Shards(layout, 24, 4, 8);
          EXPECT_DOUBLE_EQ(in_flop(useful_flop(ring_program_of(spec, true, false), Pass::forward)), 492 * 8);
          spec.shards = Shards(layout, 24, 4);
          EXPECT_DOUBLE_EQ(in_flop(useful_flop(ring_program_of(spec, false, true), Pass::backward)), 300 * 20);
        }
      }
    }
  }
}

// Work of every rank, run by run, is what it is rank by rank: in the first both in closed form.
TEST(Schemes, WorkOfAllRanksIsThatOfEach) {
  for (const Exchange exchange : {Exchange::both_ways, Exchange::two_level, Exchange::all_gather}) {
    for (const auto& [layout, tokens] :
         {std::pair(Layout::contiguous, 25), std::pair(Layout::striped, 24), std::pair(Layout::zigzag, 24)}) {
      for (const Mask& mask : {Mask{false, {}}, Mask{true, {}}, Mask{true, 7}}) {
        RingSpec spec = spec_of(6, 24, {1, 2, 2, 1, 1});
        spec.shards = Shards(layout, tokens, 6);
        spec.exchange = exchange;
        spec.halves = Halves::tokens;
        spec.inner = 3;
        spec.masks = {mask};
        const Program program = ring_program_of(spec, true, true);
        for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t step) {
          const auto check = [&](const auto& what) {
            std::int64_t covered = 0;
            for (const WorkSegment& s : program.work(what, layer, step)) {
              ASSERT_EQ(s.begin, covered);
              covered = s.end;
              for (std::int64_t r = s.begin; r < s.end; ++r) ASSERT_EQ(s.work, program.work(what, layer, step, r));
            }
            ASSERT_EQ(covered, 6);
          };
          if (const auto* attend = std::get_if<Attend>(&operation.what)) check(*attend);
          if (const auto* merge = std::get_if<Merge>(&operation.what)) check(*merge);
        });
      }
    }
  }
}

TEST(Schemes, WhatIsSentIsReceived) {
  // Uneven: 5, 4, 4, 4 tokens of 5 + 12. Whatever goes around, all ranks together receive what all send.
  for (const Exchange exchange : {Exchange::both_ways, Exchange::two_level}) {
    RingSpec spec = spec_of(4, 17, {1, 2, 2, 1, 1});
    spec.exchange = exchange;
    spec.inner = 2;
    const Program program = ring_program_of(spec, true, true);
    const std::vector<double> out = bytes_sent(program);
    const std::vector<double> in = bytes_received(program);
    EXPECT_DOUBLE_EQ(std::accumulate(out.begin(), out.end(), 0.0), std::accumulate(in.begin(), in.end(), 0.0));
    EXPECT_NE(out[0], out[1]);
  }
}

TEST(Schemes, HalvesOfHeadsNeedTwoKeyHeads) {
  RingSpec spec = spec_of(4, 16, {1, 8, 1, 2, 2});
  spec.exchange = Exchange::both_ways;
  try {
    static_cast<void>(ring_program_of(spec, true, false));
    FAIL() << "half a key/value head";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "ring.halves");
  }
  // Two sequences of one head each have halves: a sequence each way. Of three the first way has two.
  spec.shape.heads.batch = 2;
  EXPECT_EQ(ring_program_of(spec, true, false).heads_of(Share::first_heads), 0.5);
  spec.shape.heads.batch = 3;
  EXPECT_DOUBLE_EQ(ring_program_of(spec, true, false).heads_of(Share::first_heads), 2.0 / 3);
}

}  // namespace
}  // namespace ringsim::sim
