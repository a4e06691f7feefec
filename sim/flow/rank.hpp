#pragma once
// One rank of a flow-level run: an actor of the simulation library that looks after all streams of its rank.
//
// It goes through the program in issue order. Kernels, events and waits are arithmetic on the times of its streams, as in the
// recurrence; only transfers take it to the library's clock. A shift stays outstanding until something needs its end: by then
// every kernel that can hold the SMs against it is known, and so is the moment p at which it is posted. The rank sleeps until
// p + α, starts its send or its receive, and waits for both; so a hop's flow starts at  max of both ends (p + α).
//
// Since the library's clock does not pass p before the shift is posted, nothing that another rank can see is late: a rank
// computes ahead only within itself. One outstanding shift a rank suffices for one stream of transfers, which is what all
// schedules have.

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
  std::int64_t finished = 0;  // ranks
};

class Rank {
 public:
  /// `ring_index`: among the rings of the job. Mailboxes: those of the hops from this rank and from the one before.
  Rank(JobState& job, RingRun& run, std::size_t ring_index, std::int64_t rank, simgrid::s4u::Mailbox* to,
       simgrid::s4u::Mailbox* from);

  /// Runs the program; what the actor does.
  void operator()();

 private:
  struct RecordedEvent {
    enum class State { none, pending, known };
    State state = State::none;
    double time_s = 0;
    StreamId stream = 0;
  };
  struct Outstanding {
    const Instruction* instruction = nullptr;
    std::int64_t layer = 0;
    std::int64_t step = 0;
    std::int64_t row = -1;
  };
  struct Kernel {
    double start_s, end_s;
  };

  void execute(const std::vector<LoweredNode>& body, std::int64_t layer, std::int64_t step);
  void issue(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void record(const Instruction& instruction, std::int64_t step);
  void wait(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void compute(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void shift(const Instruction& instruction, std::int64_t layer, std::int64_t step);
  void settle(StreamId stream);
  void resolve();
  [[nodiscard]] double granted(double request_s) const;

  struct Arrivals {
    double sent_s, received_s;
  };
  Arrivals exchange(double posted_s, const HopTime& out, const HopTime& in);
  double arrival(simgrid::s4u::Comm& hop, std::int64_t hop_index);
  [[noreturn]] void wait_for_ever();

  JobState& job_;
  RingRun& run_;
  const std::size_t ring_;
  const std::int64_t rank_;
  simgrid::s4u::Mailbox* to_;
  simgrid::s4u::Mailbox* from_;
  RankState& state_;
  const double slowdown_;
  std::vector<double> streams_;  // how far each has come [s]
  std::vector<RecordedEvent> events_;
  Outstanding outstanding_;
  std::vector<Kernel> kernels_;  // with a contest: those that may hold the SMs against the next shift
  std::int64_t row_ = 0;         // of the observer's rows
  std::int64_t execution_ = 0;   // kernels
  bool lost_ = false;
};

}  // namespace ringsim::sim::flow
