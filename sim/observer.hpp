#pragma once
// Observers see a run as it happens, an operation of all ranks at a time, so that no run has to be kept in memory.

#include "sim/program.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <string_view>

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

 private:
  std::vector<Observer*> all_;
};

}  // namespace ringsim::sim
