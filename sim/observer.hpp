#pragma once
// Observers see a run as it happens, an operation of all ranks at a time, so that no run has to be kept in memory.

#include "sim/program.hpp"

#include <Eigen/Core>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::sim {

/// One value a rank [s].
using RankTimes = Eigen::Map<const Eigen::ArrayXd>;

/// Ranks [begin, end) that one cost applies to.
struct SegmentCost {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  double seconds = 0;
  bool masked = false;  // the mask leaves nothing to do
};

/// A kernel of the compute stream.
struct ComputeEvent {
  bool attention = true;  // false: a merge
  Accumulator accumulator = Accumulator::output;
  Pass pass = Pass::forward;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  RankTimes start;
  RankTimes end;
  std::span<const SegmentCost> segments;
  std::size_t role = 0;
  const DenseWork* dense = nullptr;  // present: neither attention nor a merge
};

/// A grouped send-receive. The hops that a rank sends are its own; where nothing else is said, rank r's go to rank r + 1, and
/// those that come in to it are the ones of rank r - 1.
struct TransferEvent {
  const Shift* shift = nullptr;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  RankTimes posted;     // the rank holds its resources and has posted the operation
  RankTimes hop_start;  // both ends have posted it; of several, the first
  RankTimes hop_end;    // of several, the last
  RankTimes done;       // all hops of the rank, out and in, have ended
  std::size_t role = 0;
  const double* in_start = nullptr;  // by receiver, of the hops that come in to it; null: those of rank r - 1
  const double* in_end = nullptr;
};

/// The compute stream waits for an arrival.
struct WaitEvent {
  std::int64_t layer = 0;
  std::int64_t step = 0;
  RankTimes from;
  RankTimes until;
  RankTimes hop_start;  // of the transfer waited for
  RankTimes hop_end;
  std::span<const SegmentCost> segments;  // of the step's attention: where it is masked, the wait is a masked step
  std::size_t role = 0;
  const double* in_start = nullptr;  // as in TransferEvent
  const double* in_end = nullptr;
};

/// A collective, or a send to another stage.
struct CollectiveEvent {
  const CollectiveTraffic* traffic = nullptr;  // one of the two is there
  const Send* send = nullptr;
  bool computes = false;  // its stream computes: the rank does nothing else meanwhile
  Pass pass = Pass::forward;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  std::size_t role = 0;
  RankTimes posted;
  RankTimes start;  // all members have posted it
  RankTimes end;
};

/// Iterations of a loop that are about to be jumped over: `count` of them, from index `first` on, each `increment` further.
struct LoopStretch {
  Loop loop = Loop::step;
  std::int64_t layer = 0;  // that a loop of steps belongs to
  std::int64_t first = 0;
  std::int64_t count = 0;
  std::int64_t increment = 1;
  Pass pass = Pass::forward;
  std::size_t role = 0;
  [[nodiscard]] std::int64_t at(std::int64_t i) const { return first + i * increment; }
};

/// A run may be shortened (sim/recurrence/run_options.hpp) where all of its observers can follow:
///
///   folding         events have the times of the first m ranks, which stand for all: rank r has those of r mod m
///   extrapolation   what happened since a mark happens so many times more, all sums grow by so many times what they have grown since
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  Observer(Observer&&) = delete;
  Observer& operator=(Observer&&) = delete;
  virtual ~Observer() = default;
  virtual void on_compute(const ComputeEvent&) {}
  virtual void on_transfer(const TransferEvent&) {}
  virtual void on_wait(const WaitEvent&) {}
  virtual void on_collective(const CollectiveEvent&) {}
  /// What follows of the role is of this task.
  virtual void on_task(const TaskMark&) {}

  /// Whether it can be told of the first ranks alone.
  [[nodiscard]] virtual bool takes_folded() const { return false; }
  /// Whether it can be told of jumps.
  [[nodiscard]] virtual bool takes_jumps() const { return false; }
  /// Before all else: so many ranks will every event have.
  virtual void on_start(std::int64_t /*ranks*/) {}
  /// How many of the next iterations it need not see.
  [[nodiscard]] virtual std::int64_t may_skip(const LoopStretch&) const { return 0; }
  /// A jump of this level will be over what happens from now on; forgets the mark that the level had. Levels count from 0, nested ones
  /// are higher.
  virtual void on_mark(std::size_t /*level*/) {}
  /// What happened since the mark of the level happens `times` times more, at once.
  virtual void on_jump(std::size_t /*level*/, double /*times*/, const LoopStretch&) {}
  /// From now on times are told from this moment [s]; from 0 where nothing is said.
  virtual void on_clock(double /*moment_s*/) {}
};

/// Passes every event on to several observers.
class Observers final : public Observer {
 public:
  explicit Observers(std::vector<Observer*> all) : all_(std::move(all)) {}
  void on_compute(const ComputeEvent& event) override {
    for (Observer* o : all_) o->on_compute(event);
  }
  void on_transfer(const TransferEvent& event) override {
    for (Observer* o : all_) o->on_transfer(event);
  }
  void on_wait(const WaitEvent& event) override {
    for (Observer* o : all_) o->on_wait(event);
  }
  void on_collective(const CollectiveEvent& event) override {
    for (Observer* o : all_) o->on_collective(event);
  }
  void on_task(const TaskMark& task) override {
    for (Observer* o : all_) o->on_task(task);
  }
  [[nodiscard]] bool takes_folded() const override {
    return std::all_of(all_.begin(), all_.end(), [](const Observer* o) { return o->takes_folded(); });
  }
  [[nodiscard]] bool takes_jumps() const override {
    return std::all_of(all_.begin(), all_.end(), [](const Observer* o) { return o->takes_jumps(); });
  }
  void on_start(std::int64_t ranks) override {
    for (Observer* o : all_) o->on_start(ranks);
  }
  [[nodiscard]] std::int64_t may_skip(const LoopStretch& stretch) const override {
    std::int64_t least = stretch.count;
    for (const Observer* o : all_) least = std::min(least, o->may_skip(stretch));
    return least;
  }
  void on_mark(std::size_t level) override {
    for (Observer* o : all_) o->on_mark(level);
  }
  void on_jump(std::size_t level, double times, const LoopStretch& over) override {
    for (Observer* o : all_) o->on_jump(level, times, over);
  }
  void on_clock(double moment_s) override {
    for (Observer* o : all_) o->on_clock(moment_s);
  }

 private:
  std::vector<Observer*> all_;
};

}  // namespace ringsim::sim
