// A recording made by hand, of two ranks, becomes the spans and totals that follow from its times.
#include "kernels/host/recording.hpp"
#include "models/error.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/timeline.hpp"
#include "sim/totals.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringsim::host {
namespace {

sim::Program two_ranks(const Mask& mask) {
  const sim::RingSpec spec{Shards(Layout::contiguous, 4, 2),
                           RingShape{{1, 1, 1, 1, 1}, Dtype::fp32, GradientDtype::fp32, Rotation::kv, Rotation::kv},
                           2,
                           {mask},
                           {0}};
  return sim::ring_program_of(spec, true, false);
}

// The forward ring of two ranks and two buffers, as issued:
//   0 begin  1 record  2 (t) wait | step 0: 3 (t) wait  4 (t) shift  5 (t) record  6 attend  7 record  8 wait arrived
//   step 1: 9 attend  10 merge  11 record | 12 end
constexpr std::size_t first_wait = 2;
constexpr std::size_t shift = 4;
constexpr std::size_t attend_0 = 6;
constexpr std::size_t arrival = 8;
constexpr std::size_t attend_1 = 9;
constexpr std::size_t merge_1 = 10;

// Seconds on a clock that began long before. Rank 0 is ready at 0, rank 1 at 0.5.
//
//          attend(0)   wait      attend(1)   merge       posted  received  done
//  rank 0   0 –  4     4 – 9      9 – 12     12 – 12.5      1       9       9
//  rank 1   0.5 – 6    6 – 10    10 – 14     14 – 15        7       8      10
//
// Nobody has anything in flight before both have posted, at 7. Hop 0 → 1 flies from 7 to 8, when rank 1 has it, hop 1 → 0
// from 7 to 9.
constexpr double origin_s = 1000;

Recording by_hand() {
  Recording recording(2, std::vector<OperationTimes>(13));
  const auto set = [&](std::size_t rank, std::size_t i, double begin, double end, double received = -origin_s) {
    recording[rank][i] = {origin_s + begin, origin_s + end, origin_s + received};
  };
  // The beginning of the layer, and of the run.
  set(0, 0, 0, 0);
  set(1, 0, 0.5, 0.75);
  set(0, attend_0, 0.1, 4);
  set(1, attend_0, 0.8, 6);
  set(0, first_wait, 0, 1);
  set(0, shift, 1, 9, 9);
  set(1, shift, 7, 10, 8);
  set(0, arrival, 4, 9);
  set(1, arrival, 6.1, 10);
  set(0, attend_1, 9, 12);
  set(1, attend_1, 10, 14);
  set(0, merge_1, 12, 12.5);
  set(1, merge_1, 14.5, 15);
  return recording;
}

TEST(Replay, TheProgramIsTheOneThatTheTimesAreMadeFor) {
  const IssueList list = issue_list(two_ranks(Mask{false, std::nullopt}));
  ASSERT_EQ(list.instructions.size(), 13U);
  EXPECT_TRUE(std::holds_alternative<const sim::Shift*>(list.instructions[shift].what));
  EXPECT_TRUE(std::holds_alternative<const sim::Attend*>(list.instructions[attend_0].what));
  EXPECT_TRUE(std::holds_alternative<WaitFor>(list.instructions[arrival].what));
  EXPECT_TRUE(std::holds_alternative<const sim::Attend*>(list.instructions[attend_1].what));
  EXPECT_TRUE(std::holds_alternative<const sim::Merge*>(list.instructions[merge_1].what));
}

TEST(Replay, Totals) {
  const sim::Program program = two_ranks(Mask{false, std::nullopt});
  sim::TotalsObserver totals(2);
  const sim::RunResult result = replay(program, by_hand(), totals);
  EXPECT_DOUBLE_EQ(result.makespan_s, 15);
  EXPECT_DOUBLE_EQ(result.start_s[0], 0);
  EXPECT_DOUBLE_EQ(result.start_s[1], 0.5);
  const auto ranks = totals.summaries(result);

  // Rank 0: kernels 4 and 3, merge 0.5. It waits from 4 to 9: until 7 nothing is in flight, then hop 1 → 0 to the end.
  // Then rank 1 takes until 15.
  EXPECT_DOUBLE_EQ(ranks[0].attention_s, 7);
  EXPECT_DOUBLE_EQ(ranks[0].merge_s, 0.5);
  EXPECT_DOUBLE_EQ(ranks[0].exposed_communication_s, 2);
  EXPECT_DOUBLE_EQ(ranks[0].bubble_late_s, 3);
  EXPECT_DOUBLE_EQ(ranks[0].bubble_masked_s, 0);
  EXPECT_DOUBLE_EQ(ranks[0].bubble_end_s, 2.5);
  EXPECT_DOUBLE_EQ(ranks[0].in_flight_s, 2);  // both hops begin at 7, the longer one ends at 9

  // Rank 1: kernels from its start at 0.5 to 6 and from 10 to 14; the half second before its merge is part of the
  // merge. It waits from 6 to 10: in flight is something from 7 to 9. The rest, and its late start, is late.
  EXPECT_DOUBLE_EQ(ranks[1].attention_s, 5.5 + 4);
  EXPECT_DOUBLE_EQ(ranks[1].merge_s, 1);
  EXPECT_DOUBLE_EQ(ranks[1].exposed_communication_s, 2);
  EXPECT_DOUBLE_EQ(ranks[1].bubble_late_s, 1 + 1 + 0.5);
  EXPECT_DOUBLE_EQ(ranks[1].bubble_end_s, 0);
  for (const sim::RankSummary& rank : ranks) {
    EXPECT_EQ((rank.compute_s + rank.exposed_communication_s) + rank.bubble_s, 15) << "rank " << rank.rank;
  }
}

TEST(Replay, WaitingInAMaskedStepIsMasked) {
  // The backward ring of two ranks under a causal mask, in which rank 0 has no kernel at step 1:
  //   0 begin  1 record  2 (t) wait | 3 (t) wait  4 (t) K/V  5 (t) record  6 attend  7 wait  8 record
  //   9 (t) wait  10 (t) dK/dV  11 (t) record  12 attend  13 add dQ  14 wait  15 add dK/dV  16 record
  //   17 (t) wait  18 (t) dK/dV home  19 (t) record  20 wait | 21 end
  sim::RingSpec spec{Shards(Layout::contiguous, 4, 2),
                     RingShape{{1, 1, 1, 1, 1}, Dtype::fp32, GradientDtype::fp32, Rotation::kv, Rotation::kv},
                     2,
                     {Mask{true, std::nullopt}},
                     {0}};
  const sim::Program program = sim::ring_program_of(spec, false, true);
  ASSERT_EQ(issue_list(program).instructions.size(), 22U);
  Recording recording(2, std::vector<OperationTimes>(22));
  const auto both = [&](std::size_t i, const OperationTimes& zero, const OperationTimes& one) {
    recording[0][i] = zero;
    recording[1][i] = one;
  };
  both(4, {0, 1, 1}, {0, 1, 1});
  both(6, {0, 2}, {0, 2});
  both(7, {2, 2}, {2, 2});
  both(10, {2, 4, 4}, {2, 4, 4});
  both(12, {2, 2}, {2, 6});
  both(13, {2, 2}, {6, 7});
  both(14, {2, 4}, {7, 7});
  both(15, {4, 4}, {7, 8});
  both(18, {4, 10, 9}, {8, 10, 10});
  both(20, {4, 10}, {8, 10});
  sim::TotalsObserver totals(2);
  const auto ranks = totals.summaries(replay(program, recording, totals));
  // Rank 0 works from 0 to 2. Its wait of step 1, from 2 to 4, is masked although dK/dV are in flight. The way home is a
  // step of nobody: it waits for rank 1 from 4 to 8, then for a hop in flight from 8 to 10.
  EXPECT_DOUBLE_EQ(ranks[0].attention_s, 2);
  EXPECT_DOUBLE_EQ(ranks[0].bubble_masked_s, 2);
  EXPECT_DOUBLE_EQ(ranks[0].bubble_late_s, 4);
  EXPECT_DOUBLE_EQ(ranks[0].exposed_communication_s, 2);
  EXPECT_DOUBLE_EQ(ranks[1].attention_s, 6);
  EXPECT_DOUBLE_EQ(ranks[1].merge_s, 2);
  EXPECT_DOUBLE_EQ(ranks[1].bubble_masked_s, 0);
  EXPECT_DOUBLE_EQ(ranks[1].exposed_communication_s, 2);
  EXPECT_DOUBLE_EQ(ranks[1].bubble_s, 0);
}

TEST(Replay, Spans) {
  const sim::Program program = two_ranks(Mask{true, std::nullopt});
  sim::TimelineObserver timeline(program, {});
  (void)replay(program, by_hand(), timeline);
  std::vector<std::string> seen;
  const sim::Timeline spans = timeline.take();
  for (const sim::Span& span : spans.spans) {
    seen.push_back(std::to_string(span.rank) + " " + span.name + " " + std::to_string(span.step));
    if (span.kind != sim::SpanKind::transfer) continue;
    // Posted, and both of the rank's hops over; its own hop flies from 7 until the other rank has it.
    EXPECT_DOUBLE_EQ(span.start_s, span.rank == 0 ? 1 : 7);
    EXPECT_DOUBLE_EQ(span.end_s, span.rank == 0 ? 9 : 10);
    EXPECT_DOUBLE_EQ(span.flight_start_s, 7);
    EXPECT_DOUBLE_EQ(span.flight_end_s, span.rank == 0 ? 8 : 9);
    EXPECT_EQ(span.peer, 1 - span.rank);
  }
  // Rank 0 does nothing in the masked step.
  EXPECT_EQ(seen, (std::vector<std::string>{"0 shift K/V 0", "1 shift K/V 0", "0 attend 0", "1 attend 0", "1 attend 1",
                                            "1 merge O 1"}));
}

TEST(Replay, RefusesWhatDoesNotFit) {
  const sim::Program program = two_ranks(Mask{});
  sim::Observer nobody;
  Recording short_one = by_hand();
  short_one[1].pop_back();
  EXPECT_THROW((void)replay(program, short_one, nobody), Error);
  Recording lonely = by_hand();
  lonely.pop_back();
  EXPECT_THROW((void)replay(program, lonely, nobody), Error);
}

}  // namespace
}  // namespace ringsim::host
