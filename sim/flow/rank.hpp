#pragma once
// An actor of a flow-level run: a rank with all of its streams, or one stream of it.
//
// It goes through the program in issue order and executes what is on its streams. Kernels, events and waits are arithmetic on the
// times of its streams, as in the recurrence; only transfers, and collectives at which ranks meet, take it to the library's clock.
//
// All streams in one actor serve a program with one stream of transfers and one role. A shift stays outstanding until something
// needs its end: by then every kernel that can hold the SMs against it is known, and so is the moment p at which it is posted. The
// rank sleeps until p + α, starts its send or its receive, and waits for both; so a hop's flow starts at  max of both ends (p + α).
// Since the library's clock does not pass p before the shift is posted, nothing that another rank can see is late: a rank
// computes ahead only within itself.
//
// With several streams of transfers, or several roles, that actor could stand at the end of one transfer when it comes to another
// that is posted earlier. There each stream is an actor, and events are handed over as they are recorded (EventBoard). The clock of
// an actor is never ahead of its stream: it moves by the ends of its own transfers, and by records that it waits for, which are
// published no later than the time that they have. So nothing is late here either. With a contest an actor sleeps until p and
// finds there all kernels that started before.
//
// Hops of a further way of one shift are sent and received by an actor of their own, since a flow's links are those of the host of
// its sender.

#include "sim/flow/ring_run.hpp"
#include "sim/flow/time_scale.hpp"

#include <simgrid/s4u.hpp>

#include <cstdint>
#include <exception>
#include <optional>
#include <utility>
#include <vector>

namespace ringsim::sim::flow {

/// What all ranks of the job share.
struct JobState {
  TimeScale scale;
  std::vector<LostHop> lost;  // in order of time
  std::exception_ptr bug;     // an exception that no rank may throw
  std::int64_t finished = 0;  // actors
};

class Rank {
 public:
  /// `ring_index`: among the rings of the job. `actor`: index into RingRun::actors.
  Rank(JobState& job, RingRun& run, std::size_t ring_index, std::int64_t rank, std::size_t actor);

  /// Runs the program; what the actor does.
  void operator()();

 private:
  struct RecordedEvent {
    enum class State { none, pending, known, elsewhere };
    State state = State::none;
    double time_s = 0;
    StreamId stream = 0;
    std::int64_t number = 0;  // of its slot's records
    std::int64_t row = -1;    // of the last transfer or collective before it on its stream
  };
  struct Outstanding {
    const Instruction* instruction = nullptr;
    std::int64_t layer = 0;
    std::int64_t step = 0;
    std::int64_t row = -1;
  };
  // One way of a shift: the hop that the rank sends, and the one that comes in to it.
  struct WayHops {
    const HopTimes* way = nullptr;
    std::size_t role = 0;
    std::int64_t source = 0;  // rank that the incoming hop is of
    double send_at = 0, receive_at = 0;
    HopTime out;
    simgrid::s4u::Mailbox* to = nullptr;
    simgrid::s4u::Mailbox* from = nullptr;
  };
  struct Arrivals {
    double sent_s = 0, received_s = 0;
    bool lost = false;
  };

  void execute(const std::vector<LoweredNode>& body, std::int64_t layer, std::int64_t step);
  void issue(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void record(const Instruction& instruction, std::int64_t step);
  void wait(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void compute(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void shift(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void timed(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void report_timed(const Instruction& instruction, const std::vector<SegmentCost>& segments, std::size_t amount,
                    RankReport times, std::int64_t row, std::int64_t layer, std::int64_t step);
  /// Reports to the observer's rows; `head` is asked for once a row.
  template <class Head>
  void tell(std::int64_t row, const Head& head, const RankReport& what) {
    const auto with_tasks = [&] {
      RowHead complete = head();
      complete.tasks = tasks_;
      return complete;
    };
    run_.rows->report(row, rank_, with_tasks, what);
  }
  void issued(StreamId stream, std::int64_t layer, std::int64_t step);
  void settle(StreamId stream);
  void resolve();
  [[nodiscard]] double meet(double posted_s);
  [[nodiscard]] double granted(double request_s, const std::vector<Kernel>& kernels) const;
  void log_kernel(StreamId stream, double start_s, double end_s);
  [[nodiscard]] bool mine(StreamId stream) const { return owns_[stream]; }
  [[nodiscard]] bool shares_rank() const { return run_.actors.size() > 1; }
  [[nodiscard]] std::size_t role_of(StreamId stream) const { return run_.program.role_of(stream); }
  [[nodiscard]] std::int64_t oldest_awaited() const;

  [[nodiscard]] WayHops hops_of(const Outstanding& now, const HopTimes& way, double posted_s) const;
  std::vector<Arrivals> exchange(const Outstanding& now, double posted_s);
  /// Sends and receives one way; the calling actor is on the host whose flows pass the links of that way.
  static Arrivals exchange_way(JobState& job, std::size_t ring, std::int64_t rank, const WayHops& hops,
                               const Outstanding& now);
  static double arrival(JobState& job, simgrid::s4u::Comm& hop, const LostHop& which, bool& lost);
  [[noreturn]] void wait_for_ever(RankState& state);

  JobState& job_;
  RingRun& run_;
  const std::size_t ring_;
  const std::int64_t rank_;
  const std::size_t actor_;
  std::vector<bool> owns_;          // by stream
  std::vector<double> streams_;     // how far each has come [s]
  std::vector<double> host_s_;      // by role: when the host has issued what it has issued so far
  std::vector<std::int64_t> rows_;  // by stream: row of its last transfer or collective
  std::vector<RecordedEvent> events_;
  Outstanding outstanding_;
  std::int64_t row_ = 0;         // of the observer's rows
  std::int64_t execution_ = 0;   // kernels
  std::int64_t collective_ = 0;  // at which ranks meet
  std::size_t tasks_ = 0;        // of Program::tasks that have begun
};

}  // namespace ringsim::sim::flow
