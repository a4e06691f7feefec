// What the ring's programs say: how many shifts, how many bytes, and that their size does not grow with the ring.
#include "sim/program.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ringsim::sim {
namespace {

using rings::Passes;
using rings::Ring;

// Executions of a Shift of each tensor.
std::map<std::string, std::int64_t> shifts(const Program& program) {
  std::map<std::string, std::int64_t> count;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t) {
    if (const auto* shift = std::get_if<Shift>(&operation.what)) {
      for (const ShiftItem& item : shift->items) ++count[program.tensors[item.tensor].name];
    }
  });
  return count;
}

std::int64_t operations(const std::vector<Operation>& body) {
  std::int64_t n = 0;
  for (const Operation& operation : body) {
    ++n;
    if (const auto* repeat = std::get_if<Repeat>(&operation.what)) n += operations(repeat->body);
  }
  return n;
}

using Count = std::map<std::string, std::int64_t>;

TEST(RingProgram, ForwardMovesKeysAndValuesOneTimeLessThanThereAreRanks) {
  for (const std::int64_t n : {1, 2, 3, 4, 9}) {
    for (const std::int64_t buffers : {2, 3}) {
      const Count expected = n == 1 ? Count{} : Count{{"K/V", n - 1}};
      EXPECT_EQ(shifts(program_of(Ring{.ranks = n, .tokens = n, .buffers = buffers}, Passes::forward)), expected) << n;
    }
  }
}

TEST(RingProgram, BackwardBringsTheGradientHomeWithOneShiftMore) {
  for (const std::int64_t n : {1, 2, 3, 4, 9}) {
    const Count kv = n == 1 ? Count{} : Count{{"K/V", n - 1}, {"dK/dV", n}};
    EXPECT_EQ(shifts(program_of(Ring{.ranks = n, .tokens = n}, Passes::backward)), kv) << n;
    const Count q = n == 1 ? Count{} : Count{{"Q/dO/statistics", n - 1}, {"dQ", n}};
    EXPECT_EQ(shifts(program_of(Ring{.ranks = n, .tokens = n, .backward_travels = Rotation::q}, Passes::backward)), q)
        << n;
  }
}

TEST(RingProgram, EveryLayerAndPassHasItsOwnShifts) {
  // 3 layers of 4 ranks: 9 shifts of K/V forward and 9 backward, 12 of dK/dV.
  EXPECT_EQ(shifts(program_of(Ring{.layers = 3}, Passes::both)), (Count{{"K/V", 18}, {"dK/dV", 12}}));
}

TEST(RingProgram, IsAsLongForFourRanksAsForThousands) {
  for (const Passes passes : {Passes::forward, Passes::backward, Passes::both}) {
    EXPECT_EQ(operations(program_of(Ring{.ranks = 4, .tokens = 4}, passes).body),
              operations(program_of(Ring{.ranks = 4096, .tokens = 4096, .layers = 80}, passes).body));
  }
}

TEST(RingProgram, SendsTheBlocksOfAllRanksButOne) {
  // Even: N - 1 = 3 blocks of 8 tokens; K/V are 4 B a token, dK/dV in bf16 4 B as well and go N = 4 times.
  const Ring even{.tokens = 32};
  for (const double b : bytes_sent(program_of(even, Passes::forward))) EXPECT_DOUBLE_EQ(b, 3 * 8 * 4);
  for (const double b : bytes_sent(program_of(even, Passes::backward))) EXPECT_DOUBLE_EQ(b, (3 + 4) * 8 * 4);
  Ring fp32 = even;
  fp32.gradient = GradientDtype::fp32;
  for (const double b : bytes_sent(program_of(fp32, Passes::backward))) EXPECT_DOUBLE_EQ(b, 3 * 8 * 4 + 4 * 8 * 8);
  // Q (2 B), dO (2 B) and 8 B of statistics three times, dQ (2 B) four times.
  Ring q = even;
  q.backward_travels = Rotation::q;
  for (const double b : bytes_sent(program_of(q, Passes::backward))) EXPECT_DOUBLE_EQ(b, 3 * 8 * 12 + 4 * 8 * 2);
}

TEST(RingProgram, OfUnevenShardsSendsWhatTheNextRankReceives) {
  // Blocks of 3, 3, 2, 2 tokens: rank r never sends the block of rank r + 1, which is at home there: 10 less 3, 2,
  // 2, 3.
  const Ring uneven{.tokens = 10};
  EXPECT_EQ(bytes_sent(program_of(uneven, Passes::forward)), (std::vector<double>{7 * 4, 8 * 4, 8 * 4, 7 * 4}));
  // A rank never receives its own: 10 less 3, 3, 2, 2.
  EXPECT_EQ(bytes_received(program_of(uneven, Passes::forward)), (std::vector<double>{7 * 4, 7 * 4, 8 * 4, 8 * 4}));
  for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
    Ring ring = uneven;
    ring.backward_travels = rotation;
    const Program program = program_of(ring, Passes::both);
    const std::vector<double> sent = bytes_sent(program);
    const std::vector<double> received = bytes_received(program);
    for (std::size_t r = 0; r < 4; ++r) EXPECT_DOUBLE_EQ(received[(r + 1) % 4], sent[r]);
  }
}

TEST(RingProgram, ComputesTheWholeMaskedSquareOnce) {
  // 32 tokens causal: 32 · 33 / 2 = 528 pairs of 4 FLOP forward, 10 backward, and both for each of 2 layers.
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    const Program program = program_of(Ring{.layout = layout, .tokens = 32, .causal = true, .layers = 2}, Passes::both);
    EXPECT_DOUBLE_EQ(in_flop(useful_flop(program, Pass::forward)), 2 * 528 * 4.0) << name_of(layout);
    EXPECT_DOUBLE_EQ(in_flop(useful_flop(program, Pass::backward)), 2 * 528 * 10.0) << name_of(layout);
  }
}

TEST(RingProgram, RunsLayersBackwardsInTheBackwardPass) {
  std::vector<std::pair<Pass, std::int64_t>> visited;
  for_each_execution(program_of(Ring{.ranks = 1, .tokens = 1, .layers = 3}, Passes::both).body,
                     [&](const Operation& operation, std::int64_t layer, std::int64_t) {
                       if (const auto* a = std::get_if<Attend>(&operation.what)) visited.emplace_back(a->pass, layer);
                     });
  EXPECT_EQ(visited, (std::vector<std::pair<Pass, std::int64_t>>{{Pass::forward, 0},
                                                                 {Pass::forward, 1},
                                                                 {Pass::forward, 2},
                                                                 {Pass::backward, 2},
                                                                 {Pass::backward, 1},
                                                                 {Pass::backward, 0}}));
}

TEST(RingSpec, LayersOfOneMaskShareIt) {
  Scenario s;
  s.model.layers = 4;
  s.model.heads = s.model.kv_heads = s.model.head_dim = 1;
  s.model.sliding_window = 7;
  s.model.sliding_layer = {true, false, true, true};
  s.workload.tokens = 8;
  s.parallel.ring = 4;
  const RingSpec spec = ring_spec(s);
  EXPECT_EQ(spec.masks, (std::vector<Mask>{{true, 7}, {true, std::nullopt}}));
  EXPECT_EQ(spec.mask_of_layer, (std::vector<std::size_t>{0, 1, 0, 0}));
}

}  // namespace
}  // namespace ringsim::sim
