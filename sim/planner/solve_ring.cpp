#include "models/error.hpp"
#include "models/legality.hpp"
#include "sim/parallel_for.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/plan.hpp"
#include "sim/planner/solve.hpp"

#include <algorithm>

namespace ringsim::sim {
namespace {

/// Every size up to 128, then sixteen an octave.
std::vector<std::int64_t> ring_sizes(std::int64_t most) {
  std::vector<std::int64_t> sizes;
  std::int64_t step = 1;
  for (std::int64_t ring = 1; ring <= most; ring += step) {
    while (ring >= 128 && ring >= 32 * step) step *= 2;
    sizes.push_back(ring);
  }
  if (!sizes.empty() && sizes.back() != most) sizes.push_back(most);
  return sizes;
}

}  // namespace

RingAnswer solve_ring(const Scenario& scenario, const SolveOptions& options) {
  Scenario base = scenario;
  base.resolved.clear();
  const std::int64_t others = base.parallel.product() / base.parallel.ring;
  const std::int64_t most = options.most_gpus > 0 ? options.most_gpus : base.cluster.gpus();
  const std::vector<std::int64_t> sizes = ring_sizes(most / others);
  RingAnswer answer;
  answer.points.resize(sizes.size());
  parallel_for(sizes.size(), options.threads, [&](std::size_t i) {
    Plan plan = plan_of(base);
    plan.degrees.ring = sizes[i];
    plan.nodes = nodes_for(plan.gpus(), base);
    if (sizes[i] == 1) plan.ring.exchange = Exchange::one_way;
    Scenario s = base;
    put(plan, s);
    SolvePoint& point = answer.points[i];
    point.gpus = plan.gpus();
    point.x = static_cast<double>(sizes[i]);
    try {
      check(s);
      point = predict_point(s, point.x, options.seed);
      point.holds = point.fits && (!options.most_time_s || point.time_s <= *options.most_time_s);
    } catch (const Error& error) {
      point.why_not = error.message();
    }
  });
  bool all_hidden = true;
  const SolvePoint* fastest = nullptr;
  for (const SolvePoint& point : answer.points) {
    if (!point.why_not.empty()) continue;
    const auto ring = static_cast<std::int64_t>(point.x);
    const bool hidden = options.most_exposed && point.exposed_share <= *options.most_exposed;
    if (hidden && all_hidden) answer.largest_hidden = ring;
    if (hidden && !all_hidden) answer.hidden_again = true;
    all_hidden = all_hidden && hidden;
    if (options.most_time_s && point.holds && !answer.smallest_meeting) answer.smallest_meeting = ring;
    if (point.fits && (fastest == nullptr || point.time_s < fastest->time_s)) fastest = &point;
  }
  if (fastest != nullptr) answer.fastest = static_cast<std::int64_t>(fastest->x);
  return answer;
}

}  // namespace ringsim::sim
