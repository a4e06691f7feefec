#pragma once
// What every rank of a ring does, as two queues a rank written down from the descriptions of the schedules, without a
// Program: for simulations that share nothing with the engine but the costs.
#include "tests/unit/sim/rings.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace ringsim::sim::rings {

/// One operation of one rank.
struct QueueItem {
  int after = -1;       // operation of the *other* queue that must have ended; -1: none
  double duration = 0;  // kernel; 0 where masked
  double hop = 0;       // transfer: time of the hop to the next rank
  RateShares shares{};  // kernel: beside an incoming hop
};

struct RankQueues {
  std::vector<QueueItem> compute, transfer;
};

/// Writes the queues of all ranks.
class QueueWriter {
 public:
  QueueWriter(const Ring& ring, Passes passes)
      : ring_(ring),
        spec_(ring.spec()),
        machine_(ring.machine()),
        n_(ring.ranks),
        ranks_(static_cast<std::size_t>(n_)) {
    if (passes != Passes::backward) {
      for (std::int64_t layer = 0; layer < ring.layers; ++layer) forward();
    }
    if (passes != Passes::forward) {
      for (std::int64_t layer = 0; layer < ring.layers; ++layer) backward();
    }
  }
  [[nodiscard]] std::vector<RankQueues> take() { return std::move(ranks_); }

 private:
  [[nodiscard]] std::int64_t before(std::int64_t rank, std::int64_t step) const {
    return ((rank - step) % n_ + n_) % n_;
  }
  [[nodiscard]] double slowdown(std::int64_t r) const {
    return ring_.slowdown.empty() ? 1.0 : ring_.slowdown[static_cast<std::size_t>(r)];
  }
  [[nodiscard]] double hop(std::int64_t r, double bytes_sent) const {
    return in_seconds(CostModel::hop(machine_.hops[static_cast<std::size_t>(r)], bytes(bytes_sent)));
  }
  [[nodiscard]] double tokens(std::int64_t rank) const { return static_cast<double>(spec_.shards.block(rank)); }
  [[nodiscard]] AttendWork work(Pass pass, std::int64_t r, std::int64_t step) const {
    const bool queries_travel = pass == Pass::backward && ring_.backward_travels == Rotation::q;
    const std::int64_t other = before(r, step);
    return queries_travel ? spec_.shards.work(other, r, spec_.masks[0]) : spec_.shards.work(r, other, spec_.masks[0]);
  }
  [[nodiscard]] RateShares attention(Pass pass) const {
    if (!ring_.sharing) return {};
    return pass == Pass::forward ? ring_.sharing->forward : ring_.sharing->backward;
  }
  [[nodiscard]] RateShares other() const { return ring_.sharing ? ring_.sharing->other : RateShares{}; }
  [[nodiscard]] double kernel(Pass pass, std::int64_t r, std::int64_t step) const {
    return slowdown(r) * in_seconds(machine_.costs.attention(pass, shape_of(work(pass, r, step))));
  }
  [[nodiscard]] double merge(Pass pass, std::int64_t r, std::int64_t step, Accumulator what, bool travelling) const {
    const AttendWork w = work(pass, r, step);
    if (w.masked()) return 0;
    const auto covered = static_cast<double>(what == Accumulator::kv_gradient ? w.columns : w.rows);
    return slowdown(r) * in_seconds(machine_.costs.merge(what, travelling, covered));
  }

  static int last(const std::vector<QueueItem>& queue) { return static_cast<int>(queue.size()) - 1; }

  // A kernel that waits for nothing but its predecessors stands for "the layer starts here".
  void forward() {
    for (std::int64_t r = 0; r < n_; ++r) {
      RankQueues& rank = ranks_[static_cast<std::size_t>(r)];
      rank.compute.push_back({});  // the layer's K/V exist: no time
      const int start = last(rank.compute);
      std::vector<int> computed;  // by step: its last kernel
      for (std::int64_t k = 0; k < n_; ++k) {
        if (k + 1 < n_) {
          // The receive overwrites the buffer that step k - b + 1 computed on.
          const std::int64_t user = k - ring_.buffers + 1;
          rank.transfer.push_back({.after = user >= 0 ? computed[static_cast<std::size_t>(user)] : start,
                                   .hop = hop(r, 4 * tokens(before(r, k)))});
        }
        // Its block arrived with the transfer of the step before.
        rank.compute.push_back({.after = k > 0 ? last(rank.transfer) - (k + 1 < n_ ? 1 : 0) : -1,
                                .duration = kernel(Pass::forward, r, k),
                                .shares = attention(Pass::forward)});
        if (k > 0) {
          rank.compute.push_back(
              {.duration = merge(Pass::forward, r, k, Accumulator::output, false), .shares = other()});
        }
        computed.push_back(last(rank.compute));
      }
    }
  }

  void backward() {
    const bool keys = ring_.backward_travels == Rotation::kv;
    const double operand_bytes = keys ? 4 : 2 * 2 + 2 * 4;  // K, V; or Q, dO and two statistics
    const double accumulator = ring_.gradient == GradientDtype::bf16 ? 2 : 4;
    const double gradient_bytes = (keys ? 2 : 1) * accumulator;  // dK, dV; or dQ
    const Accumulator resident = keys ? Accumulator::q_gradient : Accumulator::kv_gradient;
    const Accumulator travelling = keys ? Accumulator::kv_gradient : Accumulator::q_gradient;
    for (std::int64_t r = 0; r < n_; ++r) {
      RankQueues& rank = ranks_[static_cast<std::size_t>(r)];
      rank.compute.push_back({});
      int computed = last(rank.compute);
      for (std::int64_t k = 0; k < n_; ++k) {
        double sent = 0;
        if (k + 1 < n_) sent += operand_bytes * tokens(before(r, k));
        if (k > 0) sent += gradient_bytes * tokens(before(r, k - 1));
        const bool shifts = sent > 0;
        if (shifts) rank.transfer.push_back({.after = computed, .hop = hop(r, sent)});
        rank.compute.push_back({.duration = kernel(Pass::backward, r, k), .shares = attention(Pass::backward)});
        if (k > 0) {
          rank.compute.push_back({.duration = merge(Pass::backward, r, k, resident, false), .shares = other()});
        }
        // The arrival of this step's transfer is waited for before anything else is done.
        rank.compute.push_back({.after = shifts ? last(rank.transfer) : -1,
                                .duration = k > 0 ? merge(Pass::backward, r, k, travelling, true) : 0.0,
                                .shares = other()});
        computed = last(rank.compute);
      }
      if (n_ > 1) {
        rank.transfer.push_back({.after = computed, .hop = hop(r, gradient_bytes * tokens(before(r, n_ - 1)))});
        rank.compute.push_back({.after = last(rank.transfer)});
      }
    }
  }

  Ring ring_;
  RingSpec spec_;
  Machine machine_;
  std::int64_t n_;
  std::vector<RankQueues> ranks_;
};

inline std::vector<RankQueues> queues_of(const Ring& ring, Passes passes) { return QueueWriter(ring, passes).take(); }

}  // namespace ringsim::sim::rings
