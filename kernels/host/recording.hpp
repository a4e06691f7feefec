#pragma once
// What a real execution of a program writes down, and how it becomes the same events that the simulators emit.

#include "kernels/host/streams.hpp"
#include "sim/observer.hpp"
#include "sim/recurrence/engine.hpp"

#include <vector>

namespace ringsim::host {

/// Times of one instruction of the issue list on one rank [s], on a clock that all ranks share.
///   Attend, Merge, LayerBegin, LayerEnd   begin and end of the work; equal where there was none (a masked step)
///   Shift                                 begin: posted; received: the incoming block is whole; end: sent and received
///   WaitFor                               begin and end of waiting
///   Recorded                              begin = end
struct OperationTimes {
  double begin_s = 0;
  double end_s = 0;
  double received_s = 0;  // Shift only
};

/// [rank][index into IssueList::instructions]
using Recording = std::vector<std::vector<OperationTimes>>;

/// Tells the observer what happened, an operation of all ranks at a time, in issue order, as an engine would. Times count
/// from the start of the earliest rank. An operation of the compute stream begins where the one before it on that stream ended, so
/// that the overhead between two operations is part of the later one, as a launch is part of a kernel's cost in the
/// models: compute, exposed communication and bubble then cover the whole time. Hop r is in flight from the moment that both of its
/// ranks have posted it until rank r + 1 has the whole block. Throws Error where the recording does not fit the program.
sim::RunResult replay(const sim::Program& program, const Recording& recording, sim::Observer& observer);

}  // namespace ringsim::host
