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
};

/// A grouped send-receive. Hop r goes from rank r to rank r + 1.
struct TransferEvent {
  const Shift* shift = nullptr;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  RankTimes posted;     // the rank holds its resources and has posted the operation
  RankTimes hop_start;  // both ends have posted it
  RankTimes hop_end;
  RankTimes done;  // both hops of the rank have ended
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

 private:
  std::vector<Observer*> all_;
};

}  // namespace ringsim::sim
