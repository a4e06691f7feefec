#include "sim/flow/job.hpp"

#include "models/job_network.hpp"
#include "sim/schedules/ring.hpp"
#include "sim/totals.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>

namespace ringsim::sim {
namespace {

constexpr std::size_t rings_with_timelines = 16;

// What watches one ring.
struct Watchers {
  std::unique_ptr<TotalsObserver> totals;
  std::unique_ptr<TimelineObserver> timeline;
  std::unique_ptr<Observers> all;
};

Watchers watch(const Program& program, const FlowRequest& request, bool timeline) {
  Watchers w;
  w.totals = std::make_unique<TotalsObserver>(program.ring());
  std::vector<Observer*> all = {w.totals.get()};
  if (timeline) {
    w.timeline = std::make_unique<TimelineObserver>(program, request.window);
    all.push_back(w.timeline.get());
  }
  w.all = std::make_unique<Observers>(std::move(all));
  return w;
}

// Rings of equal hops share a machine, and with it the lowered program.
const Machine& machine_among(std::list<Machine>& known, Machine machine) {
  const auto found = std::find_if(known.begin(), known.end(), [&](const Machine& other) {
    return other.hops == machine.hops && other.second_hops == machine.second_hops;
  });
  return found != known.end() ? *found : known.emplace_back(std::move(machine));
}

std::vector<Traffic> traffic_of(const Noise& noise, const std::vector<Route>& routes) {
  std::vector<Traffic> all;
  for (std::size_t i = 0; i < noise.background.size(); ++i) {
    const BackgroundFlow& flow = noise.background[i];
    Traffic traffic{routes[i].links, std::nullopt, in_seconds(flow.start), std::nullopt};
    if (flow.rate) traffic.rate_bytes_per_s = in_bytes_per_second(*flow.rate);
    if (flow.end) traffic.end_s = in_seconds(*flow.end);
    all.push_back(std::move(traffic));
  }
  return all;
}

}  // namespace

std::vector<LinkChange> link_changes(const Noise& noise, const std::vector<NetworkLink>& links) {
  std::unordered_map<std::string, LinkIndex> index;
  for (LinkIndex i = 0; i < links.size(); ++i) index.emplace(links[i].name, i);
  // Every entry speaks of the data sheet's bandwidth; `links` have what is left of it from the start on.
  std::unordered_map<std::string, double> from_the_start;
  for (const SlowLink& slow : noise.slow_links) {
    if (slow.from <= Duration{}) from_the_start[slow.link] = slow.bandwidth;
  }
  std::vector<LinkChange> changes;
  for (const SlowLink& slow : noise.slow_links) {
    const auto link = index.find(slow.link);
    if (slow.from <= Duration{} || link == index.end()) continue;
    const auto start = from_the_start.find(slow.link);
    changes.push_back(
        {link->second, in_seconds(slow.from), slow.bandwidth / (start == from_the_start.end() ? 1.0 : start->second)});
  }
  for (const Failure& failure : noise.failures) {
    const auto link = index.find(failure.link);
    if (link != index.end()) changes.push_back({link->second, in_seconds(failure.at), 0});
  }
  return changes;
}

FlowOutcome run_flow_job(const FlowRequest& request) {
  const Scenario& scenario = *request.scenario;
  const JobNetwork network = job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring);
  const Program program = ring_program_of(scenario);
  const bool every_timeline = network.rings.size() <= rings_with_timelines;

  FlowSetup setup;
  setup.program = &program;
  setup.links = network.links;
  setup.changes = link_changes(scenario.noise, network.links);
  setup.traffic = traffic_of(scenario.noise, network.background);
  for (const Failure& failure : scenario.noise.failures) {
    if (failure.gpu) setup.failures.push_back({*failure.gpu, in_seconds(failure.at)});
  }
  std::list<Machine> machines;
  std::vector<Watchers> watchers;
  for (std::size_t i = 0; i < network.rings.size(); ++i) {
    const PlacedRing& placed = network.rings[i];
    watchers.push_back(watch(program, request, request.collect_timeline && (every_timeline || i == network.slowest)));
    FlowRing ring;
    ring.machine = &machine_among(machines, machine_of(scenario, placed, LinkShares::alone));
    for (const RingHop& hop : placed.hops) ring.routes.push_back(hop.route.links);
    ring.gpus = placed.gpus;
    const auto number = static_cast<std::int64_t>(i);
    const Lane lane = lane_of(*ring.machine, scenario.noise, request.seed, request.replica, number);
    ring.compute = lane.compute;
    ring.links = lane.links;
    ring.observer = watchers.back().all.get();
    setup.rings.push_back(std::move(ring));
  }

  FlowResult result = run_flow(setup);
  FlowOutcome outcome;
  outcome.messages = result.messages;
  std::size_t shown = network.slowest;
  for (std::size_t i = 0; every_timeline && i < result.rings.size(); ++i) {
    if (result.rings[i].makespan_s > result.rings[shown].makespan_s) shown = i;
  }
  if (request.collect_timeline) outcome.timeline = watchers[shown].timeline->take();
  for (std::size_t i = 0; i < result.rings.size(); ++i) {
    std::vector<RankSummary> per_rank = watchers[i].totals->summaries(result.rings[i]);
    outcome.rings.push_back({std::move(result.rings[i]), std::move(per_rank)});
  }
  return outcome;
}

}  // namespace ringsim::sim
