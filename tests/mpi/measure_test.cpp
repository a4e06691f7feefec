// Measured runs compute attention: outputs and gradients of every schedule, transferred by MPI, equal plain attention; and
// their times make sense.
#include "kernels/host/mpi/measure.hpp"

#include "models/error.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/totals.hpp"
#include "tests/mpi/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ringsim::host {
namespace {

constexpr double double_error = 1e-12;
constexpr double float_error = 1e-5;

template <class T>
constexpr Dtype dtype = sizeof(T) == 4 ? Dtype::fp32 : Dtype::fp64;
template <class T>
constexpr GradientDtype gradient_dtype = sizeof(T) == 4 ? GradientDtype::fp32 : GradientDtype::fp64;

/// A training step on all ranks; the second layer sees everything.
struct Ring {
  Layout layout = Layout::contiguous;
  std::int64_t tokens = 0;
  std::int64_t buffers = 2;
  Mask mask;
  HeadShape heads = {1, 2, 1, 8, 8};
  Rotation backward = Rotation::kv;

  template <class T>
  [[nodiscard]] sim::Program program(bool trains = true) const {
    const sim::RingSpec spec{Shards(layout, tokens, ranks().size()),
                             RingShape{heads, dtype<T>, gradient_dtype<T>, Rotation::kv, backward},
                             buffers,
                             {mask, Mask{false, std::nullopt}},
                             {0, 1}};
    return sim::ring_program_of(spec, true, trains);
  }
  [[nodiscard]] std::string text() const {
    return std::string(name_of(layout)) + " S=" + std::to_string(tokens) + " b=" + std::to_string(buffers) +
           (mask.causal ? " causal" : " full") + (mask.window ? " window " + std::to_string(*mask.window) : "") +
           " H/G=" + std::to_string(heads.query_heads) + "/" + std::to_string(heads.kv_heads) + " backward " +
           std::string(name_of(backward));
  }
};

template <class T>
void expect_reference(const Ring& ring, bool transfer_thread, double tolerance) {
  MeasureOptions options;
  options.warmup = 0;
  options.repeats = 1;
  options.check = true;
  options.seed = 7;
  options.transfer_thread = transfer_thread;
  const MeasureResult result = measure<T>(ranks(), ring.program<T>(), options);
  if (ranks().rank() != 0) return;
  EXPECT_EQ(result.error.size(), 5U);
  for (const auto& [tensor, error] : result.error) {
    EXPECT_LE(error, tolerance) << tensor << " of " << ring.text() << (transfer_thread ? " thread" : " inline");
  }
}

TEST(Measure, EqualsTheReference) {
  const std::int64_t n = ranks().size();
  // One token a rank, of which a window leaves steps masked; tiles that are not full; for two layouts uneven blocks.
  const std::vector<std::int64_t> lengths = {n, 13 * n + n / 2, 70 * n - 1};
  const std::vector<HeadShape> heads = {{1, 2, 2, 8, 8}, {1, 4, 2, 6, 10}, {2, 2, 1, 5, 3}};
  // Where many ranks share few cores a run takes long: then every third or fifth of the combinations, numbers that have
  // no factor in common with how many there are of anything below, but for the layouts, which stand outermost.
  const std::size_t stride = n <= 2 ? 1 : n <= 4 ? 3 : 5;
  std::size_t number = 0;
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const Mask& mask : {Mask{false, std::nullopt}, Mask{true, std::nullopt}, Mask{true, 9}, Mask{false, 9}}) {
      for (const Rotation rotation : {Rotation::kv, Rotation::q}) {
        for (const std::int64_t buffers : {2, 3}) {
          for (const bool transfer_thread : {false, true}) {
            if (number++ % stride != 0) continue;
            const std::size_t run = number / stride;
            Ring ring{layout, lengths[run % 3], buffers, mask, heads[run / 3 % 3], rotation};
            if (layout == Layout::zigzag) ring.tokens = (ring.tokens / (2 * n) + 1) * 2 * n;
            expect_reference<double>(ring, transfer_thread, double_error);
            if (run % 5 == 0) expect_reference<float>(ring, transfer_thread, float_error);
          }
        }
      }
    }
  }
}

// Both ends of every hop have posted it when it ends; on every rank one operation follows the other.
void expect_order(const IssueList& list, const Recording& recording) {
  const std::int64_t n = std::ssize(recording);
  for (std::int64_t r = 0; r < n; ++r) {
    const auto& own = recording[static_cast<std::size_t>(r)];
    const auto& before = recording[static_cast<std::size_t>((r + n - 1) % n)];
    for (const auto& stream : list.stream) {
      double last = 0;
      for (const std::size_t i : stream) {
        EXPECT_GE(own[i].begin_s, last);
        EXPECT_GE(own[i].end_s, own[i].begin_s);
        last = own[i].end_s;
      }
    }
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (const auto* wait = std::get_if<WaitFor>(&list.instructions[i].what); wait != nullptr && wait->record) {
        EXPECT_GE(own[i].end_s, own[*wait->record].begin_s);
      }
      if (!std::holds_alternative<const sim::Shift*>(list.instructions[i].what)) continue;
      EXPECT_GE(own[i].received_s, own[i].begin_s);
      EXPECT_GE(own[i].received_s, before[i].begin_s);
      EXPECT_GE(own[i].end_s, own[i].received_s);
    }
  }
}

TEST(Measure, TimesFollowTheProgram) {
  const Ring ring{.tokens = 100 * ranks().size(), .mask = {true, std::nullopt}};
  const sim::Program program = ring.program<float>();
  for (const bool transfer_thread : {false, true}) {
    MeasureOptions options;
    options.repeats = 4;
    options.transfer_thread = transfer_thread;
    const MeasureResult result = measure<float>(ranks(), program, options);
    EXPECT_TRUE(result.error.empty());
    if (ranks().rank() != 0) {
      EXPECT_TRUE(result.recordings.empty());
      continue;
    }
    ASSERT_EQ(result.recordings.size(), 4U);
    ASSERT_EQ(result.makespans_s.size(), 4U);
    for (std::size_t i = 0; i < result.recordings.size(); ++i) {
      expect_order(issue_list(program), result.recordings[i]);
      sim::TotalsObserver totals(program.ring());
      const sim::RunResult run = replay(program, result.recordings[i], totals);
      EXPECT_EQ(run.makespan_s, result.makespans_s[i]);
      for (const sim::RankSummary& rank : totals.summaries(run)) {
        EXPECT_EQ(rank.compute_s + rank.exposed_communication_s + rank.bubble_s, run.makespan_s);
        EXPECT_GT(rank.attention_s, 0);
      }
    }
  }
}

TEST(Measure, StopsWhenItsTimeIsUp) {
  const Ring ring{.tokens = 10 * ranks().size()};
  MeasureOptions options;
  options.repeats = 1000;
  options.max_seconds = 0;
  const MeasureResult result = measure<float>(ranks(), ring.program<float>(), options);
  // Three repeats are made in any case.
  EXPECT_EQ(result.recordings.size(), ranks().rank() == 0 ? 3U : 0U);
}

TEST(Measure, SaysWhatDoesNotFit) {
  Ring ring{.tokens = 16 * ranks().size()};
  EXPECT_THROW((void)measure<double>(ranks(), ring.program<float>(), {}), Error);
  sim::Program program = ring.program<float>();
  program.shape.gradient = GradientDtype::bf16;
  EXPECT_THROW((void)measure<float>(ranks(), program, {}), Error);
  program = ring.program<float>();
  program.shards = Shards(Layout::contiguous, ring.tokens, ranks().size() + 1);
  EXPECT_THROW((void)measure<float>(ranks(), program, {}), Error);
  // Hops to the rank before, and collectives, are for the executor of one process.
  for (const Exchange exchange : {Exchange::both_ways, Exchange::all_gather}) {
    if (ranks().size() == 1) break;  // a ring of one exchanges nothing
    sim::RingSpec spec{program.shards, program.shape, 2, program.masks, program.mask_of_layer};
    spec.shards = Shards(Layout::contiguous, ring.tokens, ranks().size());
    spec.exchange = exchange;
    spec.halves = Halves::tokens;
    EXPECT_THROW((void)measure<float>(ranks(), sim::ring_program_of(spec, true, false), {}), Error);
  }
  ring.tokens = 8192 + ranks().size();
  MeasureOptions check;
  check.check = true;
  EXPECT_THROW((void)measure<float>(ranks(), ring.program<float>(), check), Error);
}

}  // namespace
}  // namespace ringsim::host
