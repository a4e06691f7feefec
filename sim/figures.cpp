#include "sim/figures.hpp"

#include "models/error.hpp"
#include "models/job_network.hpp"
#include "models/memory.hpp"
#include "models/ring_shape.hpp"
#include "sim/machine.hpp"
#include "sim/model_rates.hpp"
#include "sim/outcome.hpp"
#include "sim/phases.hpp"
#include "sim/replicas.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

constexpr ScenarioParts of_network{ScenarioPart::cluster, ScenarioPart::parallel, ScenarioPart::ring,
                                   ScenarioPart::noise};
constexpr ScenarioParts of_machine{ScenarioPart::cluster, ScenarioPart::parallel, ScenarioPart::ring,
                                   ScenarioPart::noise,   ScenarioPart::model,    ScenarioPart::profile};
constexpr ScenarioParts of_memory{ScenarioPart::model, ScenarioPart::workload, ScenarioPart::parallel,
                                  ScenarioPart::ring,  ScenarioPart::training, ScenarioPart::serving};

// As run_by_recurrence() finds it: the slowest kind of ring, or of random times the slowest ring.
double makespan_by_recurrence(const Scenario& s, const JobNetwork& network, std::span<const PhaseProgram> phases,
                              std::uint64_t seed) {
  if (s.noise.random()) return run_replicas(s, network, phases, seed, 1, 0).front().makespan_s;
  double longest = 0;
  for (std::size_t kind = 0; kind < network.kinds.size(); ++kind) {
    const bool likely = kind == network.kind_of_ring[network.slowest];
    const PlacedRing& ring = network.rings[likely ? network.slowest : network.kinds[kind]];
    longest = std::max(longest, makespan_of_phases(phases, machine_of(s, ring)));
  }
  return longest;
}

Figures figures(const Prediction& p, EngineChoice engine) {
  Figures f;
  f.engine = engine;
  f.ranks = p.ranks;
  f.idle_gpus = p.idle_gpus;
  f.tokens_per_rank = p.tokens_per_rank;
  f.makespan_s = p.makespan_s;
  f.makespan_is_bound = p.makespan_is_bound;
  f.ring_efficiency = p.ring_efficiency;
  f.mfu = p.mfu;
  f.hfu = p.hfu;
  f.tokens_per_s = p.tokens_per_s;
  f.gpu_hours = p.gpu_hours;
  f.cost = p.cost;
  f.ttft_s = p.ttft_s;
  f.tpot_s = p.tpot_s;
  f.step_time_s = p.step_time_s;
  return f;
}

}  // namespace

struct FiguresOf::Kept {
  ScenarioParts open = ScenarioParts::all();  // changed since the last scenario that was predicted to the end
  std::optional<JobNetwork> network;
  std::optional<Machine> machine;
  std::optional<EngineDecision> decision;
  double total_bytes = 0;
  bool memory_is_known = false;
  bool all_terms = false;

  void bring_up_to_date(const Scenario& s, EngineChoice asked) {
    if (!network || open.any_of(of_network)) {
      machine.reset();
      network.reset();
      network = job_network(s.parallel, s.cluster, s.noise, s.ring);
    }
    if (!machine || open.any_of(of_machine)) {
      decision.reset();
      machine.reset();
      machine = machine_of(s, *network);
    } else if (open.has(ScenarioPart::workload)) {
      machine->costs = machine->costs.with_shape(ring_shape(s));
    }
    if (!decision) decision = choose_engine(asked, s, *network, *machine, false);
  }

  void remember(const Scenario& s) {
    if (memory_is_known && !open.any_of(of_memory) && !open.has(ScenarioPart::cluster)) return;
    const Memory memory = memory_of_rank(s);
    total_bytes = in_bytes(memory.total);
    all_terms = memory.missing.empty();
    memory_is_known = true;
  }
};

FiguresOf::FiguresOf(const FiguresOptions& options) : options_(options), kept_(std::make_unique<Kept>()) {
  if (options.engine == EngineChoice::flow) {
    throw Error("the flow engine starts a process for every point, and takes seconds for each", "--engine",
                "auto, closed-form or recurrence; for a single scenario ringsim run --engine flow");
  }
}
FiguresOf::FiguresOf(FiguresOf&&) noexcept = default;
FiguresOf& FiguresOf::operator=(FiguresOf&&) noexcept = default;
FiguresOf::~FiguresOf() = default;

Figures FiguresOf::operator()(const Scenario& s, ScenarioParts changed) {
  Kept& kept = *kept_;
  kept.open.add(changed);
  kept.bring_up_to_date(s, options_.engine);
  const EngineChoice engine = kept.decision->engine;
  const RingSpec spec = ring_spec(s);
  Prediction p;
  count_ranks(s, p);
  p.no_b_min = why_no_b_min(s);
  bool shares_of_time = true;
  if (engine == EngineChoice::closed_form) {
    check_closed_form(p);
    run_closed_form(spec, *kept.machine, s.workload.phase, p);
    check_makespan(p);
    ring_rates(s, *kept.machine, attention_work(spec, s.workload.phase), p);
  } else {
    const std::vector<PhaseProgram> phases = programs_of(s);
    p.stages = static_cast<std::int64_t>(phases.front().program.roles.size());
    shares_of_time = options_.shares_of_time;
    if (shares_of_time) {
      take_times(run_by_recurrence(s, *kept.network, phases, {options_.seed, 0, {}}).run, p);
    } else {
      p.makespan_s = makespan_by_recurrence(s, *kept.network, phases, options_.seed);
    }
    check_makespan(p);
    ring_rates(s, *kept.machine, p.no_b_min.empty() ? attention_work(spec, s.workload.phase) : attention_work(phases),
               p);
  }
  model_rates(s, p);
  kept.remember(s);
  kept.open = {};

  Figures f = figures(p, engine);
  f.shared_links = !kept.network->contended.empty();
  if (shares_of_time) {
    f.compute_s = p.compute_s;
    f.exposed_communication_s = p.exposed_communication_s;
    f.bubble_s = p.bubble_s;
    f.overlap = p.overlap;
  }
  f.memory_total_bytes = kept.total_bytes;
  f.memory_capacity_bytes = in_bytes(s.cluster.gpu.memory);
  const bool fits = f.memory_total_bytes <= f.memory_capacity_bytes;
  if (kept.all_terms || !fits) f.memory_fits = fits;  // too much already, whatever else there is
  return f;
}

Figures figures_of(const Scenario& scenario, const FiguresOptions& options) {
  return FiguresOf(options)(scenario, ScenarioParts::all());
}

}  // namespace ringsim::sim
