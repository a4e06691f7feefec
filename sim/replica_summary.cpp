#include "sim/replica_summary.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace ringsim::sim {

ReplicaOutcome outcome_of(const JobRun& job) {
  return {job.run.makespan_s, job.ring,       job.run.slowest_rank, job.run.compute_s, job.run.exposed_communication_s,
          job.run.bubble_s,   job.run.overlap};
}

std::int64_t median_replica(const std::vector<ReplicaOutcome>& replicas) {
  std::vector<std::size_t> by_makespan(replicas.size());
  std::iota(by_makespan.begin(), by_makespan.end(), std::size_t{0});
  std::stable_sort(by_makespan.begin(), by_makespan.end(),
                   [&](std::size_t a, std::size_t b) { return replicas[a].makespan_s < replicas[b].makespan_s; });
  return static_cast<std::int64_t>(by_makespan[(replicas.size() - 1) / 2]);
}

ReplicaSummary summary_of(const std::vector<ReplicaOutcome>& replicas, const Prediction& p) {
  ReplicaSummary summary{static_cast<std::int64_t>(replicas.size()), median_replica(replicas), {}};
  const auto add = [&](const char* name, Better better, const auto& value) {
    if (auto statistics = statistics_over(replicas, better, value)) summary.figures.push_back({name, *statistics});
  };
  using Maybe = std::optional<double>;
  add("makespan_s", Better::smaller, [](const ReplicaOutcome& r) { return Maybe(r.makespan_s); });
  add("compute_s", Better::smaller, [](const ReplicaOutcome& r) { return Maybe(r.compute_s); });
  add("exposed_communication_s", Better::smaller,
      [](const ReplicaOutcome& r) { return Maybe(r.exposed_communication_s); });
  add("bubble_s", Better::smaller, [](const ReplicaOutcome& r) { return Maybe(r.bubble_s); });
  add("overlap", Better::larger, [](const ReplicaOutcome& r) { return r.overlap; });
  // What is divided by the makespan, and what grows with it.
  const auto rate = [&](double shown) {
    return [shown, &p](const ReplicaOutcome& r) { return Maybe(shown * (p.makespan_s / r.makespan_s)); };
  };
  const auto growing = [&](double shown) {
    return [shown, &p](const ReplicaOutcome& r) { return Maybe(shown * (r.makespan_s / p.makespan_s)); };
  };
  add("ring_efficiency", Better::larger, rate(p.ring_efficiency));
  add("mfu", Better::larger, rate(p.mfu));
  add("hfu", Better::larger, rate(p.hfu));
  add("tokens_per_s", Better::larger, rate(p.tokens_per_s));
  add("gpu_hours", Better::smaller, growing(p.gpu_hours));
  if (p.cost) add("cost", Better::smaller, growing(*p.cost));
  return summary;
}

}  // namespace ringsim::sim
