// Runs that are folded are those in full, to the bit; runs that are extrapolated are those in full but for rounding.
#include "models/error.hpp"
#include "models/job_network.hpp"
#include "scenarios/reader.hpp"
#include "sim/phases.hpp"
#include "sim/schedules/model_program.hpp"
#include "tests/unit/sim/rings.hpp"
#include "tests/unit/sim/shortened.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

template <class T>
T any_of(const std::vector<T>& list) {
  return *rc::gen::elementOf(list);
}

void agree(const Program& program, const Machine& machine) {
  const shortened::Outcome full = shortened::run(program, machine, run_in_full());
  const shortened::Outcome folded = shortened::run(program, machine, shortened::folded());
  RC_ASSERT(folded.result.end_s == full.result.end_s);
  for (std::size_t r = 0; r < full.ranks.size(); ++r) {
    RC_ASSERT(shortened::figures(folded.ranks[r]) == shortened::figures(full.ranks[r]));
  }
  for (const RunOptions& how : {shortened::extrapolated(), shortened::both()}) {
    const shortened::Outcome jumped = shortened::run(program, machine, how);
    const RunEconomy& economy = jumped.result.economy;
    RC_TAG(fmt::format("folded {}, jumped {}", economy.folded_ranks < economy.ranks, economy.jumped_rank_steps > 0));
    RC_ASSERT(shortened::difference(jumped, full) < 1e-9);
    RC_ASSERT(economy.rank_steps == full.result.economy.rank_steps);
    RC_ASSERT(economy.jumped_rank_steps < economy.rank_steps);
  }
  // Where nobody looks, operations are joined.
  RecurrenceEngine engine(program, machine);
  const double alone_s = engine.run(shortened::both()).makespan_s;
  RC_ASSERT(std::abs(alone_s - full.result.makespan_s) <= 1e-9 * full.result.makespan_s);
}

// Times that are no round numbers, so that sums differ in their last digits where they are rounded otherwise.
double any_seconds() { return *rc::gen::inRange(1, 2000) / 997.0; }

/// A ring of nodes: hops inside one are alike, those between them are slower; some rings have a straggler or hops of their own.
rings::Ring any_ring() {
  rings::Ring ring;
  const std::int64_t gpus = any_of<std::int64_t>({1, 2, 4});
  ring.ranks = gpus * *rc::gen::inRange<std::int64_t>(1, 7);
  ring.layout = any_of<Layout>({Layout::contiguous, Layout::striped, Layout::zigzag});
  ring.tokens = ring.ranks * 2 * *rc::gen::inRange<std::int64_t>(1, 4);
  ring.causal = *rc::gen::arbitrary<bool>();
  ring.buffers = any_of<std::int64_t>({2, 2, 3});
  ring.layers = *rc::gen::inRange<std::int64_t>(1, 40);
  ring.backward_travels = any_of<Rotation>({Rotation::kv, Rotation::q});
  ring.pair_s = any_seconds();
  ring.token_s = any_seconds() * 2;
  ring.latency_s = any_seconds() / 4;
  ring.launch_s = any_seconds() / 8;
  if (*rc::gen::arbitrary<bool>()) ring.merge_bytes_per_s = 16 / any_seconds();
  const double between = 1 + any_seconds();
  for (std::int64_t r = 0; r < ring.ranks; ++r) ring.hop_factor.push_back((r + 1) % gpus == 0 ? between : 1.0);
  const int kind = *rc::gen::inRange(0, 5);
  if (kind == 0) {
    for (double& factor : ring.hop_factor) factor = 0.5 + any_seconds();
  } else if (kind == 1) {
    ring.slowdown.assign(static_cast<std::size_t>(ring.ranks), 1.0);
    ring.slowdown[static_cast<std::size_t>(*rc::gen::inRange<std::int64_t>(0, ring.ranks))] = 1 + any_seconds();
  }
  if (*rc::gen::inRange(0, 4) == 0) {
    for (std::int64_t r = 0; r < ring.ranks; ++r) ring.start_s.push_back(any_seconds());
  }
  const int together = *rc::gen::inRange(0, 3);
  ring.contest = together == 1;
  if (ring.contest) ring.event_latency_s = any_seconds() / 64;
  if (together == 2) ring.sharing = rings::Sharing(RateShares{0.6, 0.5}, RateShares{0.7, 0.3}, RateShares{1.0, 1.0});
  return ring;
}

RC_GTEST_PROP(ShortenedRuns, OfRingsOfNodesAreThoseInFull, ()) {
  const rings::Ring ring = any_ring();
  const Program program = rings::program_of(ring, any_of<rings::Passes>({rings::Passes::forward, rings::Passes::both}));
  agree(program, ring.machine());
}

// Programs of all schemes, of whole models and of pipelines.
RC_GTEST_PROP(ShortenedRuns, OfScenariosAreThoseInFull, ()) {
  const std::string phase = any_of<std::string>({"prefill", "prefill", "train", "decode"});
  const std::string profile = any_of<std::string>({"datasheet", "datasheet", "h100-sxm", "h200-sxm"});
  const std::string exchange = any_of<std::string>(
      {"exchange: one-way", "exchange: one-way, travels: q", "exchange: one-way, buffers: 3", "exchange: both-ways",
       "exchange: both-ways, halves: tokens", "exchange: all-gather", "exchange: two-level"});
  const std::int64_t ring = any_of<std::int64_t>({4, 8, 16});
  const std::string window = *rc::gen::inRange(0, 4) == 0 ? ", sliding_window: 512, sliding_pattern: 3" : "";
  const std::string text = fmt::format(
      "name: any\n"
      "model: {{name: m, layers: {}, hidden: 512, heads: 16, kv_heads: 4, head_dim: 64, feed_forward: {{intermediate: "
      "2048}}, vocabulary: 32000{}}}\n"
      "workload: {{phase: {}, tokens: {}, batch: {}, causal: {}, scope: {}}}\n"
      "cluster: {{use: dgx-h100, nodes: 8, gpus_per_node: 4}}\n"
      "profile: {}\n"
      "parallel: {{ring: {}, ulysses: {}, pipeline: {}}}\n"
      "ring: {{layout: {}, {}}}\n",
      12 * *rc::gen::inRange<std::int64_t>(1, 4), window, phase, 2048 * *rc::gen::inRange<std::int64_t>(1, 33),
      phase == "train" ? any_of<int>({4, 12}) : 4, *rc::gen::arbitrary<bool>(),
      any_of<std::string>({"attention", "model"}), profile, ring, any_of<std::int64_t>({1, 2}),
      any_of<std::int64_t>({1, 1, 2}), any_of<std::string>({"contiguous", "striped", "zigzag"}), exchange);
  std::vector<PhaseProgram> phases;
  std::optional<Machine> machine;
  try {
    const Scenario s = scenarios::read_scenario_text(text, "any.yaml");
    phases = programs_of(s);
    machine = machine_of(s);
  } catch (const Error& error) {
    RC_DISCARD(error.what());
  }
  RunResult before;
  for (const PhaseProgram& one : phases) {
    const Machine ready = machine_of_phase(*machine, one, before);
    agree(one.program, ready);
    before = RecurrenceEngine(one.program, ready).run(run_in_full());
  }
}

}  // namespace
}  // namespace ringsim::sim
