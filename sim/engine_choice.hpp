#pragma once
// Which engine runs a scenario, and why.
//
// The recurrence is exact where hops cannot disturb each other: no link has more flows than it can serve at once, and nothing
// happens at a time of its own (a link that slows down, traffic of others, a failure). Elsewhere the flow engine is.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/machine.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::sim {

enum class EngineChoice { automatic, closed_form, recurrence, flow };

constexpr std::string_view name_of(EngineChoice engine) {
  return engine == EngineChoice::closed_form  ? "closed-form"
         : engine == EngineChoice::recurrence ? "recurrence"
         : engine == EngineChoice::flow       ? "flow"
                                              : "auto";
}

/// What of a scenario only the flow engine simulates; empty texts: nothing.
struct FlowNeeds {
  std::string sharing;  // "8 flows meet on node0.nic0.out ...": elsewhere fixed equal shares stand in for it
  std::string event;    // "noise.failures": a key of the scenario; nothing stands in for it
};
[[nodiscard]] FlowNeeds flow_needs(const Scenario& scenario, const JobNetwork& network);

struct EngineDecision {
  EngineChoice engine = EngineChoice::recurrence;  // never automatic
  std::string note;                                // why; for `engine_note`
  std::string warning;                             // empty: none
};

/// `flow_is_there`: the worker can be started. Throws Error where the engine that was asked for cannot run the scenario, or
/// none can (where: the key of the scenario that it cannot run).
[[nodiscard]] EngineDecision choose_engine(EngineChoice asked, const Scenario& scenario, const JobNetwork& network,
                                           const Machine& machine, bool flow_is_there);

}  // namespace ringsim::sim
