// The hand-checked case of four tokens on two ranks (physics: "Online softmax"), over MPI.
#include "kernels/host/mpi/ring_run.hpp"
#include "sim/schedules/ring.hpp"
#include "tests/mpi/ranks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace ringsim::host {
namespace {

constexpr double digits = 5e-6;        // the outputs are given to five decimals
constexpr double state_digits = 2e-6;  // follows from l and o to six

struct Outcome {
  std::array<double, 2> o;
  std::array<double, 2> lse;
};

sim::Program two_ranks_of_two_tokens() {
  const sim::RingSpec spec{Shards(Layout::contiguous, 4, 2),
                           RingShape{{1, 1, 1, 1, 1}, Dtype::fp64, GradientDtype::fp64, Rotation::kv, Rotation::kv},
                           2,
                           {Mask{false, std::nullopt}},
                           {0}};
  return sim::ring_program_of(spec, true, false);
}

// What the rank has after the program.
Outcome execute(const sim::Program& program, bool transfer_thread) {
  constexpr std::array q = {1.0, 0.0, -1.0, 2.0};
  constexpr std::array k = {1.0, 2.0, 0.0, -1.0};
  constexpr std::array v = {10.0, 20.0, 30.0, 40.0};
  const RingPlan plan(program, 1);
  Rank<double> rank(plan, ranks().rank());
  for (std::size_t token = 0; token < 2; ++token) {
    const std::size_t place = 2 * static_cast<std::size_t>(ranks().rank()) + token;
    rank.own_queries(0).q.data[token] = q.at(place);
    rank.own_keys(0).k.data[token] = k.at(place);
    rank.own_keys(0).v.data[token] = v.at(place);
  }
  const IssueList list = issue_list(program);
  Exchange exchange(ranks());
  RingRun<double> ring(ranks(), list, rank, exchange, transfer_thread);
  rank.prepare();
  std::vector<OperationTimes> times;
  ring.run(times);
  const auto output = rank.output(0);
  return {{output.o.data[0], output.o.data[1]}, {output.lse.data[0], output.lse.data[1]}};
}

TEST(SeedsCase, TwoRanksOfTwoTokens) {
  if (ranks().size() != 2) GTEST_SKIP() << "a case for two ranks";
  constexpr std::array outputs = {19.14379, 25.00000, 34.37567, 19.03071};
  const sim::Program program = two_ranks_of_two_tokens();
  for (const bool transfer_thread : {false, true}) {
    const Outcome outcome = execute(program, transfer_thread);
    const auto first = 2 * static_cast<std::size_t>(ranks().rank());
    EXPECT_NEAR(outcome.o[0], outputs.at(first), digits);
    EXPECT_NEAR(outcome.o[1], outputs.at(first + 1), digits);
    // The first query ends in the state (2, 1.553002, 29.730336): LSE = 2 + log 1.553002.
    if (ranks().rank() != 0) continue;
    EXPECT_NEAR(outcome.lse[0], 2 + std::log(1.553002), state_digits);
  }
}

TEST(SeedsCase, TheFirstQueryAfterStepZero) {
  if (ranks().size() != 2) GTEST_SKIP() << "a case for two ranks";
  sim::Program program = two_ranks_of_two_tokens();
  // The layer's body ends in the loop of the last step; without it the run ends after step 0, whose state of the first
  // query is (2, 1.367879, 23.678794).
  std::get<sim::Repeat>(program.body.at(0).what).body.pop_back();
  for (const bool transfer_thread : {false, true}) {
    const Outcome outcome = execute(program, transfer_thread);
    if (ranks().rank() != 0) continue;
    EXPECT_NEAR(outcome.o[0], 23.678794 / 1.367879, 1e-5);
    EXPECT_NEAR(outcome.lse[0], 2 + std::log(1.367879), state_digits);
  }
}

}  // namespace
}  // namespace ringsim::host
