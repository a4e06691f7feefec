#pragma once
// The latest operations of the compute stream where kernels and hops slow each other down: those that a hop which is still to
// be posted may yet lengthen.
//
// With b buffers the hop of step k waits for the computation of step k - b + 1 only. With three it may start inside the
// kernels of step k - 1, which were timed before anything was known of it. Nothing that has been derived from their ends
// since can have moved the hop's start (the transfer stream has not waited for them), so the ends are set right when the hop
// is posted: every kernel takes the delay of the one before and meets the hop, every wait is a maximum again. What an event
// or a stream recorded of them are the same registers. Observers are told when an operation is closed, that is, when the
// transfer stream has waited for a record behind it.

#include "sim/observer.hpp"
#include "sim/recurrence/rate_sharing.hpp"
#include "sim/recurrence/registers.hpp"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace ringsim::sim {

/// A kernel or a wait of the compute stream, by the registers of its times.
struct OpenOperation {
  Registers::Handle before = Registers::none;
  Registers::Handle after = Registers::none;
  Registers::Handle awaited = Registers::none;  // none: a kernel; else a wait for it
  // For observers.
  bool attention = true;
  Accumulator accumulator = Accumulator::output;
  Pass pass = Pass::forward;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  Registers::Handle hop_start = Registers::none;  // of the transfer waited for
  Registers::Handle hop_end = Registers::none;
  Registers::Handle in_start = Registers::none;  // of what comes in; none: the hop of rank r - 1
  Registers::Handle in_end = Registers::none;
  std::span<const SegmentCost> segments;
  std::size_t role = 0;
  const DenseWork* dense = nullptr;  // a kernel that is neither attention nor a merge
  RateShares shares;                 // of a kernel and the hop beside it
};

inline void tell(Observer& observer, const OpenOperation& o, Registers& registers, std::int64_t lane) {
  const auto times = [&](Registers::Handle handle) { return RankTimes(registers.lane(handle, lane)); };
  if (o.awaited == Registers::none) {
    observer.on_compute({o.attention, o.accumulator, o.pass, o.layer, o.step, times(o.before), times(o.after),
                         o.segments, o.role, o.dense});
  } else {
    const auto incoming = [&](Registers::Handle handle) {
      return handle == Registers::none ? nullptr : registers.lane(handle, lane).data();
    };
    observer.on_wait({o.layer, o.step, times(o.before), times(o.after), times(o.hop_start), times(o.hop_end),
                      o.segments, o.role, incoming(o.in_start), incoming(o.in_end)});
  }
}

class OpenOperations {
 public:
  explicit OpenOperations(Registers& registers)
      : registers_(registers), late_(registers.layout().extent()), was_(registers.layout().extent()) {}

  /// Takes a reference to every register of the operation, of which `after` must be nobody's but its own and its records';
  /// copies the segments where they will be told.
  void add(const OpenOperation& operation, bool told) {
    for (const Registers::Handle h : handles(operation)) {
      if (h != Registers::none) registers_.retain(h);
    }
    Kept& kept = open_.emplace_back();
    kept.operation = operation;
    if (told) kept.segments.assign(operation.segments.begin(), operation.segments.end());
    ++next_;
  }

  /// Number of the next operation: a mark for close_before.
  [[nodiscard]] std::int64_t next() const { return next_; }
  [[nodiscard]] std::size_t size() const { return open_.size(); }
  /// Calls visit(operation) for every open one, in issue order; what it changes of layers and steps is what will be told.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (Kept& kept : open_) visit(kept.operation);
  }

  /// A hop has been posted: sets right the ends of all open operations. Calls told(operation, late) for each, of a kernel before it
  /// meets the hop and with how late it is so far, of a wait when it is right.
  template <class Told>
  void lengthen(SharedFlight& hops, const Told& told) {
    late_.setZero();
    for (const Kept& kept : open_) {
      const OpenOperation& operation = kept.operation;
      auto after = registers_.view(operation.after);
      if (operation.awaited == Registers::none) {
        after += late_;
        told(operation, late_);
        was_ = after;
        hops.meet(operation.shares, registers_.at(operation.before), registers_.at(operation.after));
        late_ += after - was_;
      } else {
        was_ = after;
        after = registers_.view(operation.before).max(registers_.view(operation.awaited));
        late_ = after - was_;
        told(operation, late_);
      }
    }
  }

  /// Calls tell(operation) for every operation numbered below `mark`, in issue order, and forgets it.
  template <class Tell>
  void close_before(std::int64_t mark, const Tell& tell) {
    while (!open_.empty() && next_ - static_cast<std::int64_t>(open_.size()) < mark) {
      Kept& kept = open_.front();
      kept.operation.segments = kept.segments;
      tell(kept.operation);
      for (const Registers::Handle h : handles(kept.operation)) registers_.release(h);
      open_.pop_front();
    }
  }

 private:
  struct Kept {
    OpenOperation operation;
    std::vector<SegmentCost> segments;  // a step's costs are the engine's only until the next step
  };
  static std::array<Registers::Handle, 7> handles(const OpenOperation& o) {
    return {o.before, o.after, o.awaited, o.hop_start, o.hop_end, o.in_start, o.in_end};
  }

  Registers& registers_;
  std::deque<Kept> open_;
  std::int64_t next_ = 0;
  Eigen::ArrayXd late_;  // by how much the stream is later than it was
  Eigen::ArrayXd was_;
};

}  // namespace ringsim::sim
