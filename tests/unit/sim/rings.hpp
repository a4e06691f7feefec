#pragma once
// Rings with times that can be written down by hand.
//
// A rank has one head of one element: a (query, key) pair costs `pair_s` in the forward pass and 10/4 of it in the
// backward pass; a token of K/V takes `token_s` on a hop, one of K/V and dK/dV in bf16 twice that. Blocks of one token
// without a mask so have kernels of pair_s and hops of latency_s + token_s.

#include "sim/machine.hpp"
#include "sim/observer.hpp"
#include "sim/recurrence/engine.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ringsim::sim::rings {

/// Shares by kernel; those of all kernels where one pair is given.
struct Sharing : KernelShares {
  Sharing(RateShares all) : KernelShares{all, all, all} {}  // NOLINT(google-explicit-constructor)
  Sharing(RateShares of_forward, RateShares of_backward, RateShares of_other)
      : KernelShares{of_forward, of_backward, of_other} {}
};

struct Ring {
  Layout layout = Layout::contiguous;
  std::int64_t ranks = 4;
  std::int64_t tokens = 4;  // over all ranks
  bool causal = false;
  std::int64_t buffers = 2;
  std::int64_t layers = 1;
  Rotation backward_travels = Rotation::kv;
  GradientDtype gradient = GradientDtype::bf16;
  double pair_s = 1;
  double token_s = 1;
  double latency_s = 0;
  double launch_s = 0;
  double half_depth = 0;
  double merge_bytes_per_s = 0;    // 0: merging is free
  std::vector<double> hop_factor;  // by rank: its hop takes so many times as long; empty: 1
  std::vector<double> slowdown;
  std::vector<double> start_s;
  bool contest = false;
  double event_latency_s = 0;
  std::optional<Sharing> sharing{};
  double issue_s = 0;

  [[nodiscard]] RingSpec spec() const {
    return {Shards(layout, tokens, ranks),
            RingShape{{1, 1, 1, 1, 1}, Dtype::bf16, gradient, Rotation::kv, backward_travels},
            buffers,
            {Mask{causal, std::nullopt}},
            std::vector<std::size_t>(static_cast<std::size_t>(layers), 0)};
  }
  [[nodiscard]] Machine machine() const {
    Profile p;
    p.calibrated = true;
    p.forward.saturated.value = flop_per_second(4 / pair_s);
    p.forward.half_depth.value = half_depth;
    p.backward = p.forward;
    p.key_tile = 0;
    p.launch.value = seconds(launch_s);
    p.merge_traffic.value = merge_bytes_per_s > 0 ? 1 : 0;
    p.merge_bandwidth.value = bytes_per_second(merge_bytes_per_s);
    Machine m{CostModel(p, spec().shape), {},     slowdown, start_s, contest, seconds(event_latency_s),
              seconds(issue_s),           sharing};
    for (std::int64_t r = 0; ranks > 1 && r < ranks; ++r) {
      const double factor = hop_factor.empty() ? 1.0 : hop_factor[static_cast<std::size_t>(r)];
      m.hops.push_back(
          HopCost{seconds(latency_s * factor), bytes_per_second(4 / (token_s * factor)), false, "link", true});
    }
    return m;
  }
};

enum class Passes { forward, backward, both };

inline Program program_of(const Ring& ring, Passes passes) {
  return ring_program_of(ring.spec(), passes != Passes::backward, passes != Passes::forward);
}

inline RunResult run(const Ring& ring, Passes passes = Passes::forward, Observer* observer = nullptr) {
  const Program program = program_of(ring, passes);
  const Machine machine = ring.machine();
  return RecurrenceEngine(program, machine).run(observer);
}

/// Everything that happened, copied out.
struct Recorder final : Observer {
  struct Compute {
    bool attention;
    Accumulator accumulator;
    Pass pass;
    std::int64_t layer, step;
    std::vector<double> start, end;
  };
  struct Transfer {
    Pass pass;
    std::int64_t layer, step;
    std::vector<double> posted, hop_start, hop_end, done;
  };
  std::vector<Compute> computes;
  std::vector<Transfer> transfers;

  static std::vector<double> copy(RankTimes t) { return {t.data(), t.data() + t.size()}; }
  void on_compute(const ComputeEvent& e) override {
    computes.push_back({e.attention, e.accumulator, e.pass, e.layer, e.step, copy(e.start), copy(e.end)});
  }
  void on_transfer(const TransferEvent& e) override {
    transfers.push_back(
        {e.shift->pass, e.layer, e.step, copy(e.posted), copy(e.hop_start), copy(e.hop_end), copy(e.done)});
  }
  /// The attention kernel, or the transfer, of a step; they must exist.
  [[nodiscard]] const Compute& attention(Pass pass, std::int64_t layer, std::int64_t step) const {
    return *std::find_if(computes.begin(), computes.end(), [&](const Compute& c) {
      return c.attention && c.pass == pass && c.layer == layer && c.step == step;
    });
  }
  [[nodiscard]] const Transfer& transfer(Pass pass, std::int64_t layer, std::int64_t step) const {
    return *std::find_if(transfers.begin(), transfers.end(),
                         [&](const Transfer& t) { return t.pass == pass && t.layer == layer && t.step == step; });
  }
};

}  // namespace ringsim::sim::rings
