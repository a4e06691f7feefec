#include "sim/flow/engine.hpp"

#include "models/error.hpp"
#include "sim/flow/broke_off.hpp"
#include "sim/flow/disturbances.hpp"
#include "sim/flow/platform.hpp"
#include "sim/flow/rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>

namespace ringsim::sim {
namespace {

using namespace flow;
namespace s4u = simgrid::s4u;

void check(const FlowSetup& setup) {
  for (const FlowRing& ring : setup.rings) {
    if (!ring.machine->sharing) continue;
    throw Error("the flow engine does not model how kernels and hops slow each other down", "profile.interference",
                "a profile without interference, or the recurrence engine");
  }
  check_disturbances(setup);
}

// A machine's program, lowered, and how long the ring takes with all links to itself.
struct Prepared {
  std::shared_ptr<const Lowered> lowered;
  double alone_s = 0;
};

std::vector<Prepared> prepare(const FlowSetup& setup) {
  std::unordered_map<const Machine*, Prepared> known;
  std::vector<Prepared> all;
  for (const FlowRing& ring : setup.rings) {
    Prepared& prepared = known[ring.machine];
    if (!prepared.lowered) {
      const Lane lane{ring.machine};
      prepared.lowered =
          std::make_shared<Lowered>(lower(*setup.program, std::span(&lane, 1), LaneLayout(setup.program->ring(), 1)));
      prepared.alone_s = RecurrenceEngine(*setup.program, *ring.machine).run().makespan_s;
      if (!std::isfinite(prepared.alone_s) || prepared.alone_s < 0) {
        throw Error(fmt::format("the costs of this scenario give a makespan of {} s", prepared.alone_s), "profile",
                    "values of a real machine: see ringsim show");
      }
    }
    all.push_back(prepared);
  }
  return all;
}

// How many times as long as alone a hop may take: flows that share a link with it, and what slower links have left.
double largest_stretch(const FlowSetup& setup) {
  std::vector<double> flows(setup.links.size());
  for (const FlowRing& ring : setup.rings) {
    const auto count = [&flows](const std::vector<std::vector<LinkIndex>>& routes) {
      for (const auto& route : routes) {
        for (const LinkIndex link : route) ++flows.at(link);
      }
    };
    count(ring.routes);
    count(ring.second_routes);
    for (const RoleRoutes& role : ring.other_roles) {
      count(role.routes);
      count(role.second_routes);
    }
  }
  for (const Traffic& traffic : setup.traffic) {
    for (const LinkIndex link : traffic.links) ++flows.at(link);
  }
  double stretch = 1;
  for (const double f : flows) stretch = std::max(stretch, f);
  double least = 1;
  for (const LinkChange& change : setup.changes) {
    if (change.factor > 0) least = std::min(least, change.factor);
  }
  return stretch / least;
}

double longest(const FlowSetup& setup, const std::vector<Prepared>& prepared) {
  double alone_s = 0;
  for (const Prepared& ring : prepared) alone_s = std::max(alone_s, ring.alone_s);
  // Under a contest for SMs a slower hop can cost more than itself, hence the factor.
  const double longest_s = 2 * alone_s * largest_stretch(setup);
  if (std::isfinite(longest_s)) return longest_s;
  throw Error("the disturbances leave links with too little for the run to end", "noise", "larger parts of bandwidths");
}

class Job {
 public:
  explicit Job(const FlowSetup& setup)
      : setup_(setup), prepared_(prepare(setup)), state_{TimeScale(longest(setup, prepared_))} {
    rings_.reserve(setup.rings.size());
    for (std::size_t i = 0; i < setup.rings.size(); ++i) {
      rings_.emplace_back(*setup.program, setup.rings[i], prepared_[i].lowered, setup.links);
    }
  }

  FlowResult run() {
    Platform platform(setup_.links, state_.scale);
    for (std::size_t i = 0; i < rings_.size(); ++i) add_hosts(platform, i);
    const std::vector<s4u::Host*> traffic = add_traffic_hosts(setup_, platform);
    platform.seal();
    std::int64_t actors = 0;
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      start_ranks(i);
      actors += rings_[i].ranks() * std::ssize(rings_[i].actors);
    }
    start_changes(setup_, platform, state_.scale, [this](std::int64_t gpu, double at_s) { kill(gpu, at_s); }, struck_);
    start_traffic(setup_, traffic, state_.scale);
    advance(platform.engine(), actors);
    if (state_.bug) std::rethrow_exception(state_.bug);
    if (state_.finished < actors) throw FlowBrokeOff(broke_off_message(setup_, rings_, state_, struck_));
    return result();
  }

 private:
  struct RankActor {
    std::size_t role = 0;
    s4u::ActorPtr actor;
  };

  // A host for each hop of a rank; where it has none, one for its actors.
  void add_hosts(Platform& platform, std::size_t ring) {
    RingRun& run = rings_[ring];
    for (std::size_t role = 0; role < run.roles(); ++role) {
      for (const std::size_t set : {first_set, second_set}) {
        const auto& routes = run.routes(role, set);
        if (routes.empty() && (set == second_set || role > 0)) continue;
        for (std::int64_t r = 0; r < run.ranks(); ++r) {
          run.hosts[role][set].push_back(
              platform.add_host(fmt::format("{} {} {} {}", ring, role, set, r),
                                routes.empty() ? std::vector<LinkIndex>() : routes[static_cast<std::size_t>(r)]));
        }
      }
    }
  }

  void start_ranks(std::size_t ring) {
    RingRun& run = rings_[ring];
    for (std::int64_t r = 0; r < run.ranks(); ++r) {
      for (std::size_t actor = 0; actor < run.actors.size(); ++actor) {
        actors_[{ring, r}].push_back({run.program.role_of(run.actors[actor].front()),
                                      s4u::Actor::create("rank", run.hosts[0][first_set][static_cast<std::size_t>(r)],
                                                         Rank(state_, run, ring, r, actor))});
      }
    }
  }

  void kill(std::int64_t gpu, double at_s) {
    for (std::size_t i = 0; i < rings_.size(); ++i) {
      RingRun& run = rings_[i];
      for (std::size_t role = 0; role < run.roles(); ++role) {
        for (std::int64_t r = 0; r < run.ranks(); ++r) {
          RankState& state = run.state(r, role);
          if (run.gpu(r, role) != gpu || state.doing == RankState::Doing::finished) continue;
          state.doing = RankState::Doing::dead;
          state.died_s = at_s;
          for (const RankActor& one : actors_[{i, r}]) {
            if (one.role == role) one.actor->kill();
          }
          for (const s4u::ActorPtr& helper :
               run.helpers[role * static_cast<std::size_t>(run.ranks()) + static_cast<std::size_t>(r)]) {
            helper->kill();
          }
        }
      }
    }
  }

  std::int64_t progress() const {
    std::int64_t sum = state_.finished;
    for (const RingRun& run : rings_) sum += run.messages;
    return sum;
  }

  // Endless traffic keeps the clock running when all ranks stand still, so that there the library sees no deadlock.
  void advance(const s4u::Engine& engine, std::int64_t actors) {
    bool stuck = false;
    s4u::Engine::on_deadlock_cb([&stuck] { stuck = true; });
    double last_change_s = 0;
    for (const LinkChange& change : setup_.changes) last_change_s = std::max(last_change_s, change.at_s);
    for (const GpuFailure& failure : setup_.failures) last_change_s = std::max(last_change_s, failure.at_s);
    constexpr double patience = 65536;  // times what the whole run should take at most, and no hop arrives
    double until = state_.scale.units(last_change_s);
    while (state_.finished < actors && !stuck && !state_.bug) {
      const std::int64_t before = progress();
      until = std::max(until, s4u::Engine::get_clock()) + patience * 1024;
      engine.run_until(until);
      if (progress() == before) stuck = true;
    }
  }

  FlowResult result() const {
    FlowResult all;
    for (const RingRun& run : rings_) {
      RunResult& ring = all.rings.emplace_back();
      ring.start_s = run.machine.start_s;
      ring.start_s.resize(run.states.size(), 0.0);
      for (const RankState& state : run.states) ring.end_s.push_back(state.end_s);
      ring.makespan_s = *std::max_element(ring.end_s.begin(), ring.end_s.end());
      all.messages += run.messages;
    }
    return all;
  }

  const FlowSetup& setup_;
  std::vector<Prepared> prepared_;
  JobState state_;
  std::vector<RingRun> rings_;
  std::map<std::pair<std::size_t, std::int64_t>, std::vector<RankActor>> actors_;  // by ring and rank
  std::vector<StruckFailure> struck_;
};

}  // namespace

FlowResult run_flow(const FlowSetup& setup) {
  static bool used = false;
  if (std::exchange(used, true)) throw std::logic_error("a process can run one flow-level simulation");
  check(setup);
  return Job(setup).run();
}

}  // namespace ringsim::sim
