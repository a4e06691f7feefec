#pragma once
// A run of the recurrence engine: its state, and what every operation does to it. The parts are in files of their own:
//   execution.cpp           the loops, events and kernels
//   execution_repeat.cpp    loops that repeat, and jumps over what they would do
//   execution_joined.cpp    operations in fewer passes over the ranks, where nobody looks at single operations
//   execution_tiled.cpp     and many steps of them at a time
//   execution_transfer.cpp  grouped send-receives: when they get what they need, start and end
//   execution_ways.cpp      those whose hops do not all go from r to r + 1
//   execution_timed.cpp     dense work, collectives and sends
//   execution_tape.cpp      what a tape is told of all of them

#include "sim/recurrence/engine.hpp"
#include "sim/recurrence/kernel_log.hpp"
#include "sim/recurrence/lowering.hpp"
#include "sim/recurrence/open_operations.hpp"
#include "sim/recurrence/operation_times.hpp"
#include "sim/recurrence/rate_sharing.hpp"
#include "sim/recurrence/registers.hpp"
#include "sim/recurrence/tape.hpp"
#include "sim/recurrence/tiled_loop.hpp"
#include "sim/recurrence/worker_pool.hpp"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ringsim::sim {

class RecurrenceEngine::Execution {
 public:
  /// Of the first `ranks` ranks of the program's ring, which stand for all of them.
  Execution(const Program& program, std::vector<Lane> lanes, std::int64_t ranks);

  /// An observer a lane, some of which may be null; or none at all.
  std::vector<RunResult> run(std::span<Observer* const> observers, const RunOptions& options, Tape* tape = nullptr);

 private:
  using Handle = Registers::Handle;
  /// What a stream has last transferred: its hops by sender and by receiver, the latter `none` where they are those of rank
  /// r - 1. Held only where somebody looks.
  struct Flight {
    Handle start = Registers::none;
    Handle end = Registers::none;
    Handle in_start = Registers::none;
    Handle in_end = Registers::none;
  };
  struct RecordedEvent {
    Handle time = Registers::none;
    StreamId stream = 0;
    std::int64_t mark = 0;  // kernels numbered below it had been issued
    bool pending = false;   // waits for its stream's outstanding shift
    Flight flight;          // of the stream, when it was recorded
  };
  struct PendingShift {
    const Instruction* instruction = nullptr;  // null: none is outstanding
    std::int64_t layer = 0;
    std::int64_t step = 0;
    std::int64_t mark = 0;  // kernels numbered below it ended before the stream's last wait
  };
  /// A stream, and the shift on it whose end nothing has needed yet.
  struct Stream {
    Handle time = Registers::none;
    PendingShift pending;
    std::int64_t waited_mark = 0;  // kernels numbered below it ended before its last wait
    Flight flight;
  };
  /// What is known of running a loop in tiles.
  struct Tiling {
    std::int64_t rank_steps = 0;    // that it has had to do so far
    std::optional<TiledLoop> loop;  // once that is worth a plan
  };
  struct Meeting {
    Registers::Stamp a, b, result;
  };

  void reset();
  void execute_program();
  void execute(std::span<const LoweredNode> nodes, std::int64_t layer, std::int64_t step);
  void iterate(const LoweredLoop& loop, std::int64_t first, std::int64_t count, std::int64_t layer, std::int64_t step);
  [[nodiscard]] RunResult result_of(std::int64_t lane) const;

  // Loops whose iterations repeat: execution_repeat.cpp.
  struct LoopMark;
  [[nodiscard]] bool may_repeat(std::span<Observer* const> observers, const RunOptions& options);
  void iterate_repeating(const LoweredLoop& loop, std::int64_t layer, std::int64_t step);
  [[nodiscard]] std::int64_t alike_from(const LoweredLoop& loop, std::int64_t layer) const;
  [[nodiscard]] std::int64_t stride_of(const LoweredLoop& loop) const;
  void rebase(const LoopUse& use);
  template <class Times, class Number>
  bool visit_state(const LoweredLoop& loop, std::int64_t index, const Times& times, const Number& number);
  [[nodiscard]] bool unreached(const LoopUse& use);
  void mark(const LoweredLoop& loop, std::int64_t index, std::int64_t done, LoopMark& mark);
  [[nodiscard]] bool at_mark(const LoweredLoop& loop, std::int64_t index, const LoopMark& mark);
  [[nodiscard]] std::int64_t cycles_ahead(const LoweredLoop& loop, std::int64_t done, std::int64_t layer,
                                          std::int64_t cycle) const;
  void jump(const LoweredLoop& loop, std::int64_t layer, std::int64_t done, std::int64_t cycles, const LoopMark& mark,
            std::size_t level);
  void leave_behind(const LoopUse& use, double seconds);
  void tell_tasks(std::size_t node);
  void issue(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void record(const Instruction& instruction, std::int64_t step);
  void wait(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void compute(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void meet(Handle& stream, Handle event, double late);
  void issued(StreamId stream, std::int64_t layer, std::int64_t step);
  [[nodiscard]] StepCosts& costs_of(const Instruction& compute, std::int64_t layer) const {
    return *compute.costs[program_.mask_of_layer[static_cast<std::size_t>(layer)]];
  }

  // Without observer, contest and sharing a shift is never outstanding.
  void issue_joined(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void compute_and_meet(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void shift_alike(const Instruction& instruction);
  // Runs `count` iterations of a loop of steps from `first` on in tiles, or does nothing and says no.
  bool run_tiled(const LoweredLoop& loop, std::int64_t layer, std::int64_t first, std::int64_t count);
  void run_block(TiledLoop& tiled, std::int64_t layer, std::int64_t first, std::int64_t steps);

  struct CollectiveTimes {
    Handle posted, start, end;
  };
  void timed(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void tell_collective(const Instruction& instruction, std::size_t amount, const CollectiveTimes& times,
                       std::int64_t layer, std::int64_t step);
  void enter(std::size_t role);
  void meet_in_rings(Handle times);

  void shift(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void depart(const Stream& stream);
  void land();
  void time_hops(const PendingShift& shift, Handle posted, Handle start, Handle end);
  Handle time_ways(const PendingShift& shift, Handle posted, Flight& flight);
  void settle(StreamId stream);
  void resolve(StreamId stream);
  void resolve_all();
  void tell_transfer(const PendingShift& now, const Stream& stream, const Flight& flight);
  void keep(Flight& to, const Flight& from);
  void drop(Flight& flight);

  // What a tape is told: each names the vector that has just been made.
  void tape_ready(Handle made);
  void tape_after(TapeEntry::Kind kind, Handle made, Handle from, const Instruction& instruction, std::int64_t layer,
                  std::int64_t step, Way way = Way::up);
  TapeValue tape_join(TapeValue a, const double* of_a, TapeValue b, const double* of_b, double late = 0);
  void tape_neighbours(TapeEntry::Kind kind, Handle made, Handle of, Way way);
  void tape_ways(const PendingShift& shift, Handle posted, Handle made);
  void tape_all(Handle made, Handle of, const double* times);
  void tape_grant(Handle made, Handle request);
  void tape_issue(Handle made, std::size_t role);
  void tape_beside(const double* start, const double* alone, TapeValue start_value, Handle kernel, RateShares shares);
  void tape_lengthened(const OpenOperation& operation, const Eigen::ArrayXd& late);
  [[nodiscard]] TapeValue tape_through(TapeEntry::Kind kind, TapeValue of);
  void tape_ends();

  void done(const OpenOperation& operation);
  void close_before(std::int64_t mark);
  void tell_observers(const OpenOperation& operation);

  const Program& program_;
  const std::vector<Lane> lanes_;
  const LaneLayout layout_;
  const Machine& machine_;  // the first lane's: costs, contest, event latency and sharing are all lanes'
  Lowered lowered_;
  OperationTimes times_;
  Registers registers_;
  KernelLog log_{registers_};
  OpenOperations open_{registers_};
  std::vector<Observer*> observers_;   // a lane; null: nobody looks
  bool observed_ = false;              // somebody looks at some lane
  Tape* tape_ = nullptr;               // of the only lane; null: nobody wants one
  TapeValue flight_start_ = no_value;  // on the tape: the outstanding shift's hops under sharing, by receiver
  TapeValue flight_end_ = no_value;
  TapeValue tape_before_ = no_value;    // what the open operation before was until it was lengthened; none: as it is
  std::optional<SharedFlight> flight_;  // where kernels and hops slow each other down: the outstanding shift's hops
  bool in_flight_ = false;              // there are such hops
  const KernelShares shares_;           // of kernels beside hops; all 1 where they do not disturb each other
  const bool issues_;                   // the host takes time to issue operations
  std::vector<double> host_s_;          // by role: what it has needed so far
  std::vector<Handle> ready_;           // by role, where it takes time: when the ranks became ready
  const bool settles_late_;             // a shift is outstanding until something needs its end
  bool joined_ = false;                 // no observer, contest or sharing: operations may be joined
  bool repeats_ = false;                // loops are watched for what repeats, and times told from clock_ on
  long double clock_ = 0;               // [s]
  std::size_t level_ = 0;               // of the next loop that is watched
  double iterations_ = 0;               // of innermost loops, jumped over or not
  double jumped_ = 0;                   // those jumped over
  std::string why_in_full_;
  RunOptions options_;
  std::map<const LoweredLoop*, Tiling> tilings_;
  std::vector<TileWorkspace> workspaces_;
  std::unique_ptr<WorkerPool> pool_;  // of this run, once it is needed
  std::vector<Stream> streams_;
  std::vector<RecordedEvent> events_;
  std::size_t role_ = 0;  // whose operations are being issued
  Meeting meeting_;       // the last maximum of two vectors
  Handle posted_ = Registers::none;
  Handle hop_start_ = Registers::none;
  Handle hop_end_ = Registers::none;
  Handle departed_ = Registers::none;  // starts of the outstanding shift's hops, and their ends alone
  Handle arriving_ = Registers::none;
  std::span<const SegmentCost> attention_segments_;  // of the last attention kernel, and its step
  std::int64_t attention_step_ = -1;
  std::size_t next_task_ = 0;  // index into Program::tasks
  const SegmentCost whole_ring_;
};

// stream = max(stream, event + late). Two streams that wait for each other meet at the same time: the second one to
// ask finds the vector that the first one computed.
inline void RecurrenceEngine::Execution::meet(Handle& stream, Handle event, double late) {
  // (Not under sharing, where an open operation's register is its own.)
  if (late == 0.0 && !flight_ && registers_.alive(meeting_.result)) {
    const auto own = registers_.stamp(stream);
    const auto other = registers_.stamp(event);
    if ((meeting_.a == own && meeting_.b == other) || (meeting_.a == other && meeting_.b == own)) {
      registers_.assign(stream, meeting_.result.handle);
      return;
    }
  }
  const Handle to = registers_.acquire();
  if (late == 0.0) {
    registers_.view(to) = registers_.view(stream).max(registers_.view(event));
    meeting_ = {registers_.stamp(stream), registers_.stamp(event), registers_.stamp(to)};
  } else {
    registers_.view(to) = registers_.view(stream).max(registers_.view(event) + late);
  }
  if (tape_ != nullptr) {
    registers_.name(to, tape_join(registers_.value(stream), registers_.at(stream), registers_.value(event),
                                  registers_.at(event), late));
  }
  registers_.release(stream);
  stream = to;
}

}  // namespace ringsim::sim
