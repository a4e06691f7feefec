#include "calibrate/import/trace.hpp"
#include "tests/unit/calibrate/import_support.hpp"
#include "tests/unit/sim/rings.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using sim::Span;
using sim::SpanKind;
using sim::rings::Passes;
using sim::rings::program_of;
using sim::rings::Ring;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Adds a span of a rank, one second long, after its last one.
void add(ImportedRun& run, std::int64_t rank, SpanKind kind, const std::string& name) {
  Span span;
  span.rank = rank;
  span.kind = kind;
  span.name = name;
  span.layer = span.step = -1;
  span.start_s = static_cast<double>(run.spans.size());
  span.end_s = span.start_s + 1;
  run.spans.push_back(span);
}

using Place = std::pair<std::int64_t, std::int64_t>;  // layer, step

std::vector<Place> places(const ImportedRun& run, std::int64_t rank, const std::string& name) {
  std::vector<Place> found;
  for (const Span& span : run.spans) {
    if (span.rank == rank && span.name == name) found.emplace_back(span.layer, span.step);
  }
  return found;
}

TEST(AssignOperations, ForwardAndBackwardOfTwoLayers) {
  // Two ranks, no mask: every rank runs a kernel at steps 0 and 1 of both layers, and the backward pass begins with the
  // last layer. Shifts: K/V once a layer forward; backward K/V at step 0, dK/dV at 1 and home at 2.
  Ring ring{.ranks = 2, .tokens = 8, .layers = 2};
  const sim::Program program = program_of(ring, Passes::both);
  ImportedRun run;
  run.ranks = 2;
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    for (int layer = 0; layer < 2; ++layer) {
      add(run, rank, SpanKind::transfer, "shift");
      add(run, rank, SpanKind::attention, "attend");
      add(run, rank, SpanKind::attention, "attend");
      add(run, rank, SpanKind::merge, "merge O");
      add(run, rank, SpanKind::merge, "merge O");  // a merge may be of several kernels
    }
    for (int layer = 0; layer < 2; ++layer) {
      add(run, rank, SpanKind::transfer, "shift");
      add(run, rank, SpanKind::attention, "attend backward");
      add(run, rank, SpanKind::transfer, "shift");
      add(run, rank, SpanKind::attention, "attend backward");
      add(run, rank, SpanKind::merge, "add gradients");
      add(run, rank, SpanKind::merge, "add gradients");
      add(run, rank, SpanKind::transfer, "shift");
    }
  }
  assign_operations(run, program);
  EXPECT_THAT(run.notes, IsEmpty());
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    EXPECT_THAT(places(run, rank, "attend"), ElementsAre(Place(0, 0), Place(0, 1), Place(1, 0), Place(1, 1)));
    EXPECT_THAT(places(run, rank, "merge O"), ElementsAre(Place(0, 1), Place(0, 1), Place(1, 1), Place(1, 1)));
    EXPECT_THAT(places(run, rank, "attend backward"), ElementsAre(Place(1, 0), Place(1, 1), Place(0, 0), Place(0, 1)));
    // As many kernels as the step has sums: first the resident gradient, then the travelling one.
    EXPECT_THAT(places(run, rank, "add dQ"), ElementsAre(Place(1, 1), Place(0, 1)));
    EXPECT_THAT(places(run, rank, "add dK/dV"), ElementsAre(Place(1, 1), Place(0, 1)));
    EXPECT_THAT(places(run, rank, "shift K/V"), ElementsAre(Place(0, 0), Place(1, 0), Place(1, 0), Place(0, 0)));
    EXPECT_THAT(places(run, rank, "shift dK/dV"), ElementsAre(Place(1, 1), Place(1, 2), Place(0, 1), Place(0, 2)));
  }
  // A block of 4 tokens; K and V of one head, one element of bf16 each: 16 B.
  EXPECT_EQ(run.spans[0].peer, 1);
  EXPECT_EQ(run.spans[0].bytes, 16);
}

TEST(AssignOperations, MaskedStepsHaveNoKernel) {
  // Causal and contiguous over three ranks: rank r sees keys of ranks 0 to r, so it runs r + 1 kernels.
  Ring ring{.ranks = 3, .tokens = 6, .causal = true};
  ImportedRun run;
  run.ranks = 3;
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    for (std::int64_t i = 0; i <= rank; ++i) add(run, rank, SpanKind::attention, "attend");
    for (int i = 0; i < 2; ++i) add(run, rank, SpanKind::transfer, "shift");
  }
  assign_operations(run, program_of(ring, Passes::forward));
  EXPECT_THAT(run.notes, IsEmpty());
  EXPECT_THAT(places(run, 0, "attend"), ElementsAre(Place(0, 0)));
  EXPECT_THAT(places(run, 1, "attend"), ElementsAre(Place(0, 0), Place(0, 1)));
  EXPECT_THAT(places(run, 2, "attend"), ElementsAre(Place(0, 0), Place(0, 1), Place(0, 2)));
}

TEST(AssignOperations, CountsThatDoNotFitAreNoted) {
  // Three ranks without a mask: three kernels and two shifts each. Rank 0 has two iterations, rank 1 lacks a kernel.
  Ring ring{.ranks = 3, .tokens = 6};
  ImportedRun run;
  run.ranks = 3;
  for (int i = 0; i < 6; ++i) add(run, 0, SpanKind::attention, "attend");
  for (int i = 0; i < 2; ++i) add(run, 1, SpanKind::attention, "attend");
  add(run, 1, SpanKind::merge, "merge O");
  for (int i = 0; i < 3; ++i) add(run, 2, SpanKind::attention, "attend");
  for (std::int64_t rank = 0; rank < 3; ++rank) {
    for (int i = 0; i < (rank == 2 ? 1 : 2); ++i) add(run, rank, SpanKind::transfer, "shift");
  }
  assign_operations(run, program_of(ring, Passes::forward));
  EXPECT_THAT(
      run.notes,
      ElementsAre(
          "rank 0 has 6 attention kernels of the forward pass, the program 3: 2 times as many, so cut the trace to "
          "one iteration (other ranks that do not fit: 1); their layers and steps stay unknown",
          "rank 2 has 1 transfers, the program 2; their layers and steps stay unknown"));
  EXPECT_EQ(places(run, 0, "attend")[0], Place(-1, -1));
  EXPECT_EQ(places(run, 1, "merge O")[0], Place(-1, -1));  // it follows a kernel of no known step
  EXPECT_THAT(places(run, 2, "attend"), ElementsAre(Place(0, 0), Place(0, 1), Place(0, 2)));
  EXPECT_THAT(places(run, 0, "shift K/V"), ElementsAre(Place(0, 0), Place(0, 1)));
  EXPECT_THAT(places(run, 2, "shift"), ElementsAre(Place(-1, -1)));
}

TEST(AssignOperations, RanksBeyondTheRingStayUnknown) {
  ImportedRun run;
  run.ranks = 2;
  for (const std::int64_t rank : {0, 5}) {
    add(run, rank, SpanKind::attention, "attend");
    add(run, rank, SpanKind::attention, "attend");
    add(run, rank, SpanKind::transfer, "shift");
  }
  assign_operations(run, program_of({.ranks = 2, .tokens = 4}, Passes::forward));
  EXPECT_THAT(run.notes, ElementsAre(HasSubstr("the highest of which is 5, but the program's ring has 2")));
  EXPECT_THAT(places(run, 0, "attend"), ElementsAre(Place(0, 0), Place(0, 1)));
  EXPECT_THAT(places(run, 5, "attend"), ElementsAre(Place(-1, -1), Place(-1, -1)));
}

TEST(AssignOperations, TheExampleOfTwoRanks) {
  const std::string rank0 = testing::example("trace-rank0.json");
  const std::string rank1 = testing::example("trace-rank1.json");
  ImportedRun run = import_trace({{"0", rank0}, {"1", rank1}}, {});
  const std::size_t notes = run.notes.size();
  assign_operations(run, program_of({.ranks = 2, .tokens = 4}, Passes::forward));
  EXPECT_EQ(run.notes.size(), notes);
  EXPECT_THAT(places(run, 1, "attend"), ElementsAre(Place(0, 0), Place(0, 1)));
  EXPECT_THAT(places(run, 1, "merge O"), ElementsAre(Place(0, 1), Place(0, 1)));
  EXPECT_THAT(places(run, 1, "shift K/V"), ElementsAre(Place(0, 0)));
  // The trace's own bytes are kept: 65,536 elements of bf16.
  const auto shift =
      std::find_if(run.spans.begin(), run.spans.end(), [](const Span& s) { return s.kind == SpanKind::transfer; });
  EXPECT_EQ(shift->bytes, 131072);
}

}  // namespace
}  // namespace ringsim::calibrate
