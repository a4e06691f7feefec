#pragma once
// An observer that keeps the spans of a window (sim/timeline_window.hpp).

#include "sim/observer.hpp"
#include "sim/spans.hpp"
#include "sim/timeline_window.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ringsim::sim {

class TimelineObserver final : public Observer {
 public:
  TimelineObserver(const Program& program, const TimelineWindow& window);
  void on_compute(const ComputeEvent& event) override;
  void on_transfer(const TransferEvent& event) override;
  void on_collective(const CollectiveEvent& event) override;
  void on_task(const TaskMark& task) override { tasks_[task.role] = task; }
  [[nodiscard]] bool takes_folded() const override { return true; }
  [[nodiscard]] bool takes_jumps() const override { return true; }
  void on_start(std::int64_t ranks) override { told_ = ranks; }
  [[nodiscard]] std::int64_t may_skip(const LoopStretch& stretch) const override;
  void on_jump(std::size_t, double, const LoopStretch&) override { timeline_.truncated = true; }
  void on_clock(double moment_s) override { clock_s_ = moment_s; }
  [[nodiscard]] Timeline take() { return std::move(timeline_); }

 private:
  [[nodiscard]] std::int64_t rank_of(std::size_t role, std::int64_t ring_rank) const {
    return static_cast<std::int64_t>(role) * program_.ring() + ring_rank;
  }
  /// Whether what a role does is outside of the window, ranks apart.
  bool outside(std::size_t role, Pass pass, std::int64_t layer, std::int64_t step);
  [[nodiscard]] bool lacks(std::size_t role, Pass pass, std::int64_t layer) const;
  /// Of a rank [s].
  [[nodiscard]] double moment(RankTimes times, std::int64_t rank) const { return clock_s_ + times[rank % told_]; }

  const Program& program_;
  TimelineWindow window_;
  std::vector<std::int64_t> ranks_;                // that are shown
  std::vector<std::vector<std::int64_t>> layers_;  // by role, ascending
  std::vector<TaskMark> tasks_;                    // by role: the one that it works on
  std::int64_t told_;                              // ranks that events have times of
  double clock_s_ = 0;                             // from which they are told
  Timeline timeline_;
};

/// What of a whole timeline lies in a window of ranks, steps and layers by their number. Throws std::logic_error for windows that ask for
/// more, which spans do not tell.
[[nodiscard]] Timeline part_of(const Timeline& whole, const TimelineWindow& window);

/// The timelines of one phase of a run, for those of its windows that are of this phase.
class Timelines {
 public:
  /// Adds their observers to those of the run.
  Timelines(const Program& program, std::span<const TimelineWindow> windows, std::int64_t phase,
            std::vector<Observer*>& watching);
  /// Puts them into their windows' places; `phases`: so many has the run.
  void take(std::vector<Timeline>& by_window, std::int64_t phases);

 private:
  std::vector<std::pair<std::size_t, std::unique_ptr<TimelineObserver>>> all_;
};

}  // namespace ringsim::sim
