#pragma once
// The flow engine: the same program as the recurrence runs, by ranks that progress on their own over links that they share
// (SimGrid: max-min fair shares, recomputed whenever a flow starts or ends).
//
// Ranks are actors (sim/flow/rank.hpp). A hop starts when both of its ranks have posted it; after its latency α, which the ranks
// sleep, it is a flow over the route's links with
//
//   wire bytes = (time of the hop alone - α) · narrowest bandwidth of its route
//
// so that alone it takes exactly what the recurrence takes, size-dependent bandwidths included, and beside others its share.
// Collectives and sends to another role take the time that the machine has for them, whatever else is on the links: all groups of
// a kind are counted in it (models/collective.hpp), hops of rings and groups of other kinds are not.
//
// This header needs no SimGrid; engine.cpp is the library ringsim_flow, which the worker ringsim-flow alone links: a process
// can run one simulation only.

#include "models/jitter.hpp"
#include "models/topology/network.hpp"
#include "sim/machine.hpp"
#include "sim/observer.hpp"
#include "sim/program.hpp"
#include "sim/recurrence/engine.hpp"

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::sim {

/// The ways of the hops of a role's ranks.
struct RoleRoutes {
  std::vector<std::vector<LinkIndex>> routes;         // of Way::up and Way::inner, by sender; empty for a ring of one
  std::vector<std::vector<LinkIndex>> second_routes;  // of Way::down and Way::outer; empty where none goes these ways
  std::vector<std::int64_t> gpus;                     // of every rank, for messages
};

/// One ring of the job, of every role.
struct FlowRing {
  const Machine* machine = nullptr;            // hops as if each were alone on its route
  std::vector<std::vector<LinkIndex>> routes;  // of the first role, as in RoleRoutes, and so are
  std::vector<std::int64_t> gpus;              // its ranks
  JitterStream compute;
  JitterStream links;
  Observer* observer = nullptr;
  std::vector<std::vector<LinkIndex>> second_routes{};  // of the first role
  /// Of the roles after the first, whose hops cost alone what those of the first do; empty: they have no hops.
  std::vector<RoleRoutes> other_roles{};
};

/// From `at_s` on a link has `factor` of its bandwidth; 0: it has failed, and what is on it or comes later is lost.
struct LinkChange {
  LinkIndex link = 0;
  double at_s = 0;
  double factor = 1.0;
};

struct GpuFailure {
  std::int64_t gpu = 0;
  double at_s = 0;
};

/// Somebody else's traffic.
struct Traffic {
  std::vector<LinkIndex> links;
  std::optional<double> rate_bytes_per_s;
  double start_s = 0;
  std::optional<double> end_s;
};

struct FlowSetup {
  const Program* program = nullptr;
  std::vector<FlowRing> rings;
  std::vector<NetworkLink> links;
  std::vector<LinkChange> changes;
  std::vector<GpuFailure> failures;
  std::vector<Traffic> traffic;
};

/// The simulated run cannot end: a link or a GPU failed. what() says which, when, and who waits for whom.
class FlowBrokeOff : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What came of it: one result a ring, in their order.
struct FlowResult {
  std::vector<RunResult> rings;
  std::int64_t messages = 0;  // hops that were simulated
};

/// Runs once; a second call in the same process throws std::logic_error. Throws Error where a machine has interference
/// (Machine::sharing), which this engine does not model.
[[nodiscard]] FlowResult run_flow(const FlowSetup& setup);

}  // namespace ringsim::sim
