#include "sim/curves/scaling.hpp"

#include "models/error.hpp"
#include "models/memory.hpp"
#include "sim/curves/effort.hpp"
#include "sim/curves/too_large.hpp"
#include "sim/figures.hpp"
#include "sim/parallel_for.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ringsim::sim {
namespace {

ScalingPoint point_of(const Scenario& scenario, std::int64_t ring, std::uint64_t seed) {
  const Scenario s = with_ring(scenario, ring);
  ScalingPoint point;
  point.ring = ring;
  point.own = ring == scenario.parallel.ring;
  point.gpus = s.parallel.product();
  point.nodes =
      s.parallel.gpus.empty() ? (point.gpus + s.cluster.gpus_per_node - 1) / s.cluster.gpus_per_node : s.cluster.nodes;
  try {
    check(s);
    const Figures f = figures_of(s, FiguresOptions{EngineChoice::recurrence, seed, true});
    point.time_s = time_of(s, f.makespan_s);
    const double part = *point.time_s / f.makespan_s;
    point.compute_s = *f.compute_s * part;
    point.exposed_communication_s = *f.exposed_communication_s * part;
    point.bubble_s = *f.bubble_s * part;
    point.shares_links = f.shared_links;
    point.memory_bytes = f.memory_total_bytes;
    if (f.memory_total_bytes > f.memory_capacity_bytes) {
      point.verdict = ScalingVerdict::too_large;
      point.reason = needs_text(bytes(f.memory_total_bytes), s.cluster.gpu.memory);
    }
  } catch (const Error& error) {
    point.verdict = ScalingVerdict::illegal;
    point.reason = error.message();
    point.hint = error.hint();
  }
  return point;
}

void draw_ideal(ScalingCurve& curve) {
  const ScalingPoint* first = nullptr;
  for (const ScalingPoint& point : curve.points) {
    if (!point.time_s) continue;
    const bool fits = point.verdict == ScalingVerdict::runs;
    if (first == nullptr || (fits && first->verdict != ScalingVerdict::runs)) first = &point;
  }
  if (first == nullptr) return;
  curve.ideal_from = first->ring;
  const double rank_seconds = *first->time_s * static_cast<double>(first->ring);
  for (ScalingPoint& point : curve.points) {
    point.ideal_s = rank_seconds / static_cast<double>(point.ring);
    if (point.time_s) point.efficiency = *point.ideal_s / *point.time_s;
  }
}

}  // namespace

std::vector<std::int64_t> scaling_rings(std::int64_t own, std::int64_t doublings) {
  std::set<std::int64_t> rings;
  const std::int64_t most = own << doublings;
  for (std::int64_t ring = 1; ring <= most; ring *= 2) rings.insert(ring);
  for (std::int64_t ring = own; ring <= most; ring *= 2) rings.insert(ring);
  return {rings.begin(), rings.end()};
}

Scenario with_ring(const Scenario& scenario, std::int64_t ring) {
  Scenario s = scenario;
  if (ring == s.parallel.ring) return s;
  s.parallel.ring = ring;
  if (ring == 1) s.ring.exchange = Exchange::one_way;
  if (s.parallel.gpus.empty()) s.cluster.nodes = nodes_for(s.parallel.product(), s);
  return s;
}

ScalingCurve scaling_curve(const Scenario& scenario, const ScalingOptions& options) {
  Scenario base = scenario;  // copied for every point, without what is only for reading
  base.resolved.clear();
  base.warnings.clear();
  const std::int64_t others = base.parallel.product() / base.parallel.ring;
  ScalingCurve curve;
  curve.time_name = time_name(base);
  curve.memory_capacity_bytes = in_bytes(base.cluster.gpu.memory);
  std::vector<std::int64_t> rings;
  for (const std::int64_t ring : scaling_rings(base.parallel.ring, options.doublings)) {
    const bool beyond = ring > base.parallel.ring;
    if (beyond && options.most_gpus > 0 && ring * others > options.most_gpus) {
      curve.left_out = fmt::format("rings from {} on, which need more than {} GPUs", ring, options.most_gpus);
      break;
    }
    if (beyond && rank_steps(with_ring(base, ring)) > options.most_rank_steps) {
      curve.left_out = fmt::format("rings from {} on, which take long to simulate", ring);
      break;
    }
    rings.push_back(ring);
  }
  curve.points.resize(rings.size());
  parallel_for(rings.size(), options.threads, [&](std::size_t i) {
    // The largest first: they take longest.
    const std::size_t at = rings.size() - 1 - i;
    curve.points[at] = point_of(base, rings[at], options.seed);
  });
  draw_ideal(curve);
  return curve;
}

}  // namespace ringsim::sim
