#pragma once
// Where the time of every rank goes, classified from spans as they happen (physics: "Quantities that the product reports").
//
// Compute kernels are compute. A collective on a stream that computes is exposed from the moment that all members have reached
// it, and late before. A wait of the compute stream is split by what is in flight on the rank's two hops:
//   exposed   the part of the wait in which a hop of the awaited transfer is in flight (both of its sides have posted it)
//   late      the rest: the transfer has not started (the peer is late, or the SMs were taken), or an event is on its
//             way; and the time before a rank's own late start
//   masked    a wait in a step in which the mask leaves the rank nothing to do, whatever is in flight
//   end       from the rank's own end to the end of the slowest rank
// Each class is a sum of its own intervals; none is what the others leave over.

#include "sim/marked_sums.hpp"
#include "sim/observer.hpp"
#include "sim/prediction.hpp"
#include "sim/recurrence/engine.hpp"

#include <Eigen/Core>

#include <string>
#include <utility>
#include <vector>

namespace ringsim::sim {

class TotalsObserver final : public Observer {
 public:
  explicit TotalsObserver(std::int64_t ranks, std::size_t roles = 1);
  explicit TotalsObserver(const Program& program) : TotalsObserver(program.ring(), program.roles.size()) {}
  void on_compute(const ComputeEvent& event) override;
  void on_transfer(const TransferEvent& event) override;
  void on_wait(const WaitEvent& event) override;
  void on_collective(const CollectiveEvent& event) override;
  [[nodiscard]] bool takes_folded() const override { return true; }
  [[nodiscard]] bool takes_jumps() const override { return true; }
  void on_start(std::int64_t ranks) override;
  [[nodiscard]] std::int64_t may_skip(const LoopStretch& stretch) const override { return stretch.count; }
  void on_mark(std::size_t level) override;
  void on_jump(std::size_t level, double times, const LoopStretch& over) override;

  /// Totals of every rank once the run has ended: of the ranks of the first role, then of the next.
  [[nodiscard]] std::vector<RankSummary> summaries(const RunResult& result) const;

  /// Time that the ranks have spent in collectives and sends of a name, hidden or not: of the rank that spent most [s].
  struct Spent {
    std::string name;
    double seconds = 0;
  };
  [[nodiscard]] std::vector<Spent> spent_in_collectives() const;

 private:
  // The part of an array that belongs to a role. Arrays are made when they are needed: for how many ranks is known by then.
  [[nodiscard]] auto of(Eigen::ArrayXd& all, std::size_t role) const {
    if (all.size() == 0) all.setZero(size());
    return all.segment(static_cast<Eigen::Index>(role) * ranks_, ranks_);
  }

  [[nodiscard]] Eigen::Index size() const { return ranks_ * static_cast<Eigen::Index>(roles_); }
  /// All that is added up, in the order of the members, then of `spent_`.
  [[nodiscard]] std::vector<Eigen::ArrayXd*> sums();

  std::size_t roles_;
  Eigen::Index ranks_;  // that events tell of; they stand for all of the ring
  MarkedSums marked_;
  Eigen::ArrayXd attention_, merge_, dense_, exposed_, collective_, late_, masked_, in_flight_;  // a rank of a role
  std::vector<std::pair<std::string, Eigen::ArrayXd>> spent_;
};

/// Moves a, b or c by a few units in the last place so that (a + b) + c == total exactly. Throws std::logic_error where the
/// parts miss the total by more than rounding: that would be a bug of the classification.
void settle_rounding(double& a, double& b, double& c, double total);

}  // namespace ringsim::sim
