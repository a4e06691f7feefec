// Kernels and messages that a profile was not fitted on are named.
#include "sim/extrapolation.hpp"

#include "tests/unit/sim/rings.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;
using testing::ElementsAre;
using testing::IsEmpty;

// Zigzag, four ranks of eight tokens, causal: 8 × 8 in the first step, whole × half or half × whole in all others. One
// head of dimension one. K/V have 4 B a token, dK/dV in bf16 as many.
const Ring ring{.layout = Layout::zigzag, .ranks = 4, .tokens = 32, .causal = true};

AttentionRange everything() { return {{1, 1e9}, {1, 1e9}, {1, 1e9}, {1, 1e9}}; }

std::vector<std::string> texts(const std::optional<AttentionRange>& measured, std::optional<Range> bytes = {},
                               bool backward = false, const Ring& of = ring) {
  Machine machine = of.machine();
  Profile p = machine.costs.profile();
  p.name = "mine";
  p.measured = measured;
  p.links["link"].measured_bytes = bytes;
  machine.costs = CostModel(p, of.spec().shape);
  return extrapolations(of.spec(), backward, machine);
}

TEST(Extrapolation, OfAProfileWithoutRangesNothingIsSaid) { EXPECT_THAT(texts(std::nullopt), IsEmpty()); }

TEST(Extrapolation, WithinTheRangesNothingIsSaid) {
  EXPECT_THAT(texts(AttentionRange{{4, 8}, {4, 8}, {1, 1}, {1, 1}}, Range{32, 32}), IsEmpty());
}

TEST(Extrapolation, NamesTheValueThatIsFurthestOutside) {
  AttentionRange range = everything();
  range.rows = {1, 6};
  EXPECT_THAT(texts(range),
              ElementsAre("attention of 8 rows is beyond what profile mine was fitted on (1 to 6): extrapolated"));
  range.rows = {5, 100};
  EXPECT_THAT(texts(range),
              ElementsAre("attention of 4 rows is below what profile mine was fitted on (5 to 100): extrapolated"));
  range.rows = {5, 6};  // 8 is off by 8/6, 4 by 5/4
  EXPECT_THAT(texts(range),
              ElementsAre("attention of 8 rows is beyond what profile mine was fitted on (5 to 6): extrapolated"));
}

TEST(Extrapolation, LooksAtEveryRange) {
  EXPECT_THAT(
      texts(AttentionRange{{4, 8}, {4, 7}, {2, 16}, {64, 128}}),
      ElementsAre("attention over 8 columns is beyond what profile mine was fitted on (4 to 7): extrapolated",
                  "attention of 1 heads is below what profile mine was fitted on (2 to 16): extrapolated",
                  "attention of dimension 1 is below what profile mine was fitted on (64 to 128): extrapolated"));
}

TEST(Extrapolation, LooksAtTheMessagesOfThePassesThatRun) {
  // Forward 8 · 4 = 32 B. Backward K/V and dK/dV together 64 B, each alone 32 B.
  EXPECT_THAT(texts(std::nullopt, Range{1, 50}), IsEmpty());
  EXPECT_THAT(
      texts(std::nullopt, Range{1, 50}, true),
      ElementsAre("a hop of 64 B over link is beyond what profile mine was fitted on (1 B to 50 B): extrapolated"));
  EXPECT_THAT(
      texts(std::nullopt, Range{40, 100}, true),
      ElementsAre("a hop of 32 B over link is below what profile mine was fitted on (40 B to 100 B): extrapolated"));
}

TEST(Extrapolation, ARingOfOneSendsNothing) {
  EXPECT_THAT(texts(std::nullopt, Range{1e6, 1e7}, true, {.ranks = 1, .tokens = 8}), IsEmpty());
}

}  // namespace
}  // namespace ringsim::sim
