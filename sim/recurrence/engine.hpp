#pragma once
// The recurrence engine: runs a program exactly, as max-plus operations on vectors over ranks, without contention on
// wires (physics: "The ring as a max-plus system"). Per rank-step of the two-buffer ring it computes
//
//   s_r(k) = max(c_r(k-1), x_r(k-1))                       both streams are free
//   h_r(k) = max(p_r(k), p_{r+1}(k)) + α_r + bytes / W_r   a hop starts when both sides have posted it
//   x_r(k) = max(h_r(k), h_{r-1}(k))                       the grouped operation ends with both hops
//   c_r(k) = s_r(k) + work_r(k)
//
// but from the program's operations, so that any body of Attend, Merge, Shift, Record and Wait runs. With a contest for
// SMs the moment of posting, p, moves to the end of the compute kernel that holds the SMs at that time: an element-wise
// choice, made when the first operation that depends on the transfer is reached (by then every kernel that can be ahead
// is known). Where kernels and hops slow each other down, c and h move by what they cost each other (rate_sharing.hpp).
//
// Several lanes, rings or replicas of them, run in one sweep as further columns; lanes.hpp says what jitter does to their times.

#include "sim/machine.hpp"
#include "sim/observer.hpp"
#include "sim/program.hpp"
#include "sim/recurrence/lanes.hpp"
#include "sim/recurrence/run_options.hpp"
#include "sim/recurrence/tape.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ringsim::sim {

struct RunResult {
  std::vector<double> start_s;  // per rank: when it became ready
  std::vector<double> end_s;    // per rank: the end of its compute stream
  double makespan_s = 0;
};

class RecurrenceEngine {
 public:
  /// Keeps references to both; lowers the program once, O(N) time and memory.
  RecurrenceEngine(const Program& program, const Machine& machine);
  /// Keeps references to the program and to the machines of the lanes, of which there must be one. Throws std::logic_error for
  /// lanes that differ in what must be equal.
  RecurrenceEngine(const Program& program, std::vector<Lane> lanes);
  ~RecurrenceEngine();
  RecurrenceEngine(const RecurrenceEngine&) = delete;
  RecurrenceEngine& operator=(const RecurrenceEngine&) = delete;
  RecurrenceEngine(RecurrenceEngine&&) = delete;
  RecurrenceEngine& operator=(RecurrenceEngine&&) = delete;

  /// Runs the only lane from the start. Without an observer nothing is recorded and operations are fused.
  RunResult run(Observer* observer = nullptr, const RunOptions& options = {});
  /// Runs the only lane and writes down how: `tape` must be new. Where it gets full() the run goes on without.
  RunResult record(Tape& tape);
  /// Runs all lanes; one result a lane. Observers: one a lane, of which any may be null; or none.
  std::vector<RunResult> run_lanes(std::span<Observer* const> observers = {});

 private:
  class Execution;
  std::unique_ptr<Execution> execution_;
};

}  // namespace ringsim::sim
