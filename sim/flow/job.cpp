#include "sim/flow/job.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "sim/schedules/model_program.hpp"
#include "sim/totals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ringsim::sim {
namespace {

constexpr std::size_t rings_with_timelines = 16;

// What watches one ring.
struct Watchers {
  std::unique_ptr<TotalsObserver> totals;
  std::unique_ptr<Timelines> timelines;
  std::unique_ptr<HopUseObserver> hops;
  std::unique_ptr<Observers> all;
};

Watchers watch(const Program& program, const FlowRequest& request, bool timeline) {
  Watchers w;
  w.totals = std::make_unique<TotalsObserver>(program);
  w.hops = std::make_unique<HopUseObserver>(program);
  std::vector<Observer*> all = {w.totals.get(), w.hops.get()};
  if (timeline) w.timelines = std::make_unique<Timelines>(program, request.windows, 0, all);
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

// Rings that one run of the program is about, by role: a ring on its own, or where the program has a role for every stage of the
// pipeline the rings of all stages with the same other coordinates.
std::vector<std::vector<std::size_t>> rings_of_runs(const Program& program, const Parallel& p,
                                                    const JobNetwork& network) {
  const bool staged = program.roles.size() > 1 && std::ssize(program.roles) == p.pipeline;
  const auto coordinates = [&](std::size_t i) {
    const PlacedRing& ring = network.rings[i];
    return std::tuple(ring.tensor, ring.ulysses, ring.data);
  };
  std::vector<std::vector<std::size_t>> runs;
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, std::size_t> known;
  for (std::size_t i = 0; i < network.rings.size(); ++i) {
    if (staged && network.rings[i].pipeline > 0) {
      runs[known.at(coordinates(i))].push_back(i);
      continue;
    }
    known[coordinates(i)] = runs.size();
    runs.push_back({i});
  }
  return runs;
}

RoleRoutes routes_of(const PlacedRing& ring) {
  RoleRoutes all;
  for (const RingHop& hop : ring.hops) all.routes.push_back(hop.route.links);
  for (const RingHop& hop : ring.second_hops) all.second_routes.push_back(hop.route.links);
  all.gpus = ring.gpus;
  return all;
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
  const JobNetwork network =
      job_network(scenario.parallel, scenario.cluster, scenario.noise, scenario.ring, Routes::all);
  const std::vector<PhaseProgram> phases = programs_of(scenario);
  if (phases.size() != 1 || phases.front().times != 1) {
    throw Error(fmt::format("the flow engine runs one program, and this scenario has {}", phases.size()), "--engine",
                "recurrence, or a workload without chunks");
  }
  const Program& program = phases.front().program;
  const bool every_timeline = network.rings.size() <= rings_with_timelines;

  FlowSetup setup;
  setup.program = &program;
  setup.links = network.links.named();
  setup.changes = link_changes(scenario.noise, setup.links);
  setup.traffic = traffic_of(scenario.noise, network.background);
  for (const Failure& failure : scenario.noise.failures) {
    if (failure.gpu) setup.failures.push_back({*failure.gpu, in_seconds(failure.at)});
  }
  std::list<Machine> machines;
  std::vector<Watchers> watchers;
  const std::vector<std::vector<std::size_t>> runs = rings_of_runs(program, scenario.parallel, network);
  for (const std::vector<std::size_t>& rings : runs) {
    const std::size_t first = rings.front();
    const bool slowest = std::find(rings.begin(), rings.end(), network.slowest) != rings.end();
    watchers.push_back(watch(program, request, !request.windows.empty() && (every_timeline || slowest)));
    FlowRing ring;
    ring.machine =
        &machine_among(machines, machine_for(program, machine_of(scenario, network.rings[first], LinkShares::alone)));
    RoleRoutes routes = routes_of(network.rings[first]);
    ring.routes = std::move(routes.routes);
    ring.second_routes = std::move(routes.second_routes);
    ring.gpus = std::move(routes.gpus);
    for (std::size_t role = 1; role < rings.size(); ++role) {
      ring.other_roles.push_back(routes_of(network.rings[rings[role]]));
    }
    const Lane lane =
        lane_of(*ring.machine, scenario.noise, request.seed, request.replica, static_cast<std::int64_t>(first));
    ring.compute = lane.compute;
    ring.links = lane.links;
    ring.observer = watchers.back().all.get();
    setup.rings.push_back(std::move(ring));
  }

  FlowResult result = run_flow(setup);
  FlowOutcome outcome;
  outcome.messages = result.messages;
  std::vector<std::size_t> run_of_ring(network.rings.size());
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const std::size_t ring : runs[run]) run_of_ring[ring] = run;
  }
  std::size_t shown = run_of_ring[network.slowest];
  for (std::size_t i = 0; every_timeline && i < result.rings.size(); ++i) {
    if (result.rings[i].makespan_s > result.rings[shown].makespan_s) shown = i;
  }
  outcome.timelines.resize(request.windows.size());
  if (watchers[shown].timelines) watchers[shown].timelines->take(outcome.timelines, 1);
  for (const std::size_t run : run_of_ring) {
    outcome.rings.push_back(
        {result.rings[run], watchers[run].totals->summaries(result.rings[run]), watchers[run].hops->usage()});
  }
  return outcome;
}

}  // namespace ringsim::sim
