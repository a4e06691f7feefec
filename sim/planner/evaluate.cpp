#include "sim/planner/evaluate.hpp"

#include "models/error.hpp"
#include "models/spending.hpp"
#include "sim/job_run.hpp"
#include "sim/schedules/model_program.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace ringsim::sim {
namespace {

double energy_of_run(const Scenario& s, const RunSummary& run) {
  double compute_s = 0;
  for (const RankSummary& rank : run.per_rank) compute_s += rank.compute_s;
  const double busy = compute_s / (static_cast<double>(run.per_rank.size()) * run.makespan_s);
  const Spending spending = spending_of(s, seconds(run.makespan_s), busy);
  return spending.energy ? in_joules(*spending.energy) : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string_view name_of(Objective objective) {
  switch (objective) {
    case Objective::time:
      return "time";
    case Objective::gpus:
      return "gpus";
    case Objective::cost:
      return "cost";
    case Objective::energy:
      break;
  }
  return "energy";
}

std::string time_name(const Scenario& s) {
  if (s.workload.phase == Phase::decode) return "TPOT";
  if (s.workload.scope == Scope::attention) return "attention time";
  return s.workload.phase == Phase::prefill ? "TTFT" : "step time";
}

double time_of(const Scenario& s, double makespan_s) {
  return s.workload.phase == Phase::decode ? makespan_s / static_cast<double>(s.workload.output_tokens) : makespan_s;
}

double makespan_of(const Scenario& s, double time_s) {
  return s.workload.phase == Phase::decode ? time_s * static_cast<double>(s.workload.output_tokens) : time_s;
}

PlanTime evaluate(const Scenario& s, const JobNetwork& network, bool energy, std::uint64_t seed) {
  const std::vector<PhaseProgram> phases = programs_of(s);
  PlanTime result;
  if (energy || s.noise.random()) {
    const JobRun job = run_by_recurrence(s, network, phases, {seed, 0, {}});
    result.time_s = time_of(s, job.run.makespan_s);
    if (energy) result.energy_joules = energy_of_run(s, job.run);
    return result;
  }
  double makespan_s = 0;
  for (const std::size_t ring : network.kinds) {
    makespan_s = std::max(makespan_s, makespan_of_phases(phases, machine_of(s, network.rings[ring])));
  }
  result.time_s = time_of(s, makespan_s);
  return result;
}

double value_of(Objective objective, const Scenario& s, std::int64_t gpus, double time_s,
                const std::optional<double>& energy_joules) {
  switch (objective) {
    case Objective::time:
      return time_s;
    case Objective::gpus:
      return static_cast<double>(gpus);
    case Objective::cost:
      return static_cast<double>(gpus) * makespan_of(s, time_s) / 3600.0 * s.price_per_gpu_hour.value_or(0);
    case Objective::energy:
      break;
  }
  return energy_joules.value_or(std::numeric_limits<double>::infinity());
}

double least_value(Objective objective, const Scenario& s, std::int64_t gpus, double time_s, double compute_s) {
  if (objective != Objective::energy) return value_of(objective, s, gpus, time_s, {});
  const Gpu& gpu = s.cluster.gpu;
  if (!gpu.power) return 0;
  const Power floor = gpu.idle_power.value_or(*gpu.power);
  const Energy least =
      static_cast<double>(gpus) * (floor * seconds(makespan_of(s, time_s)) + (*gpu.power - floor) * seconds(compute_s));
  return in_joules(least);
}

void check_objective(Objective objective, const Scenario& s) {
  if (objective == Objective::cost && !s.price_per_gpu_hour) {
    throw Error("the cost of a plan needs the price of a GPU", "price.gpu_hour", "--set price.gpu_hour=2.50");
  }
  if (objective != Objective::energy) return;
  if (s.workload.scope == Scope::attention && s.workload.phase != Phase::decode) {
    throw Error("the energy of attention alone is no plan's energy", "workload.scope", "--set workload.scope=model");
  }
  if (!s.cluster.gpu.power) {
    throw Error("the power of the GPU is not known", "cluster.gpu.power", "--set 'cluster.gpu.power=700 W'");
  }
}

}  // namespace ringsim::sim
