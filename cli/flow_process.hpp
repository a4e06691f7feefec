#pragma once
// Running the flow engine: starts the worker `ringsim-flow`, which lies beside this program and alone links SimGrid. A process of
// its own for every run, since the library can run one simulation a process.

#include "sim/flow/request.hpp"

namespace ringsim::cli {

/// Whether the worker lies beside this program.
[[nodiscard]] bool flow_worker_is_there();

/// A sim::FlowRunner. Throws MissingPart where the worker is not there, Error where the scenario is wrong, BrokeOff where the
/// simulated run cannot end or the worker was killed, and Interrupted.
[[nodiscard]] sim::FlowOutcome run_flow_worker(const sim::FlowRequest& request);

}  // namespace ringsim::cli
