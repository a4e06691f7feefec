#pragma once
// A scenario's whole job at flow level: all of its rings at once on the cluster's network, with everything that disturbs them.

#include "sim/flow/engine.hpp"
#include "sim/flow/request.hpp"

#include <cstdint>

namespace ringsim::sim {

/// Runs a scenario once. A program with a role for every stage of the pipeline runs on the rings of all stages together; hops and
/// kernels of a later stage cost alone what the first stage's do. The timeline is that of the ring that ends last (of equals JobNetwork::slowest, else the first); where
/// the job has more than 16 rings, that of JobNetwork::slowest, since it must then be chosen before the run.
/// Throws as run_flow does. Runs in the calling process, which can do so once.
[[nodiscard]] FlowOutcome run_flow_job(const FlowRequest& request);

/// The changes that slow links and failures of a scenario come to; `links` as JobNetwork::links, which has those that are slow
/// from the start on. What names a link that no route uses is left out.
[[nodiscard]] std::vector<LinkChange> link_changes(const Noise& noise, const std::vector<NetworkLink>& links);

}  // namespace ringsim::sim
