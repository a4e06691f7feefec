#pragma once
// Runs all rings of a job by an engine, and picks the ring to speak of: the one that ends last.
//
// By the recurrence the rings do not disturb each other, and without noise rings of one kind (the same hops) are the same run:
// each kind is run once. By the flow engine all rings run together.

#include "models/job_network.hpp"
#include "models/scenario.hpp"
#include "sim/flow/request.hpp"
#include "sim/hop_use.hpp"
#include "sim/phases.hpp"
#include "sim/summarize.hpp"
#include "sim/timeline.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim::sim {

struct JobRun {
  RunSummary run;                                  // of the ring that ends last
  std::size_t ring = 0;                            // which: index into JobNetwork::rings
  std::vector<double> kind_ends_s;                 // by JobNetwork::kinds: when the last ring of that kind ends
  std::int64_t messages = 0;                       // flow engine only
  std::vector<TotalsObserver::Spent> collectives;  // of that ring's ranks; recurrence only
  std::vector<Timeline> timelines;                 // of that ring, a window
  HopUsage hops;                                   // the same, where asked for
  std::optional<RunEconomy> economy;               // the same; recurrence only
};

struct JobRunOptions {
  std::uint64_t seed = 0;
  std::int64_t replica = 0;
  std::vector<TimelineWindow> windows;
  bool hop_use = false;
  RunOptions how{};  // recurrence only
};

[[nodiscard]] JobRun run_by_recurrence(const Scenario& scenario, const JobNetwork& network,
                                       std::span<const PhaseProgram> phases, const JobRunOptions& options);
[[nodiscard]] JobRun run_by_flow(const Scenario& scenario, const JobNetwork& network, const FlowRunner& runner,
                                 const JobRunOptions& options);

}  // namespace ringsim::sim
