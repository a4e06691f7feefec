#pragma once
// How much every rank's outgoing hops are used over a run: what they carry, and for how long they are in flight.
//
//   bytes      Σ over transfers of what the rank sends in them                     (Program::sent)
//   in flight  Σ over transfers of the time from when both ends have posted a hop until it has arrived
//
// A rank has one outgoing hop, or two: of a ring both ways round up and down, of two levels inside the inner ring and between them.
// Both ways round are one grouped operation, of which the time of both together is told, so that each of the two hops has the time
// from the first start to the last end.
//
// Memory: O(ranks + steps). Transfers are only counted as they happen; what they carry is worked out at the end.

#include "sim/machine.hpp"
#include "sim/marked_sums.hpp"
#include "sim/observer.hpp"
#include "sim/prediction.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ringsim::sim {

/// What one hop comes to.
struct HopTotals {
  double bytes = 0;
  double in_flight_s = 0;
};

/// By rank of the first role, then of the next; `second` is empty where no rank has a second hop, both are where nothing travels.
struct HopUsage {
  std::vector<HopTotals> first, second;
  /// Adds `times` times another run of the same ranks.
  void add(const HopUsage& other, double times);
};

class HopUseObserver final : public Observer {
 public:
  /// The program must outlive the observer.
  explicit HopUseObserver(const Program& program);
  void on_transfer(const TransferEvent& event) override;
  [[nodiscard]] bool takes_folded() const override { return true; }
  [[nodiscard]] bool takes_jumps() const override { return true; }
  void on_start(std::int64_t ranks) override;
  [[nodiscard]] std::int64_t may_skip(const LoopStretch& stretch) const override { return stretch.count; }
  void on_mark(std::size_t level) override;
  void on_jump(std::size_t level, double times, const LoopStretch& over) override;
  [[nodiscard]] HopUsage usage() const;

 private:
  /// Executions of a shift of a role, by step; all under step 0 where every step carries the same.
  using Counts = std::map<std::pair<std::size_t, const Shift*>, std::map<std::int64_t, double>>;

  const Program& program_;
  std::int64_t ranks_;  // that events tell of
  Counts counted_;
  std::vector<Counts> marks_;                // by level: the counts then
  std::array<Eigen::ArrayXd, 2> in_flight_;  // of first and second hops
  MarkedSums marked_;
  std::array<bool, 2> travels_{};
};

/// The use of hops as a prediction tells it: with the links of the machine's hops and shares of the makespan. `program` says where
/// hops go to.
[[nodiscard]] std::vector<HopUse> hop_use_of(const HopUsage& usage, const Program& program, const Machine& machine,
                                             double makespan_s);

}  // namespace ringsim::sim
