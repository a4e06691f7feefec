#include "sim/curves/bandwidth.hpp"

#include "models/job_network.hpp"
#include "sim/curves/bandwidth_marks.hpp"
#include "sim/curves/crossing.hpp"
#include "sim/curves/effort.hpp"
#include "sim/curves/ring_links.hpp"
#include "sim/figures.hpp"
#include "sim/parallel_for.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/schedules/ring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ringsim::sim {
namespace {

/// Bandwidths from 1/16 to 16 times the scenario's own, further where a mark or the crossing lies beyond, and the marks themselves.
std::vector<double> bandwidths(double own, const std::vector<BandwidthMark>& marks,
                               const std::vector<BandwidthCrossing>& crossings, double steps_an_octave) {
  double least = std::min(own / 16, marks.front().bandwidth_bytes_per_s);
  double most = std::max(own * 16, marks.back().bandwidth_bytes_per_s);
  for (const BandwidthCrossing& crossing : crossings) {
    for (const std::optional<double>& at : {crossing.bandwidth_bytes_per_s, crossing.simulated_bytes_per_s}) {
      if (at && *at >= own / 1024) least = std::min(least, *at);
      if (at && *at <= own * 1024) most = std::max(most, *at);
    }
  }
  const auto steps = [&](double to) { return static_cast<int>(std::ceil(steps_an_octave * std::log2(to) - 1e-9)); };
  std::vector<double> all;
  for (int k = -steps(own / least); k <= steps(most / own); ++k) all.push_back(own * std::exp2(k / steps_an_octave));
  for (const BandwidthMark& mark : marks) {
    const auto same = [&](double known) { return std::abs(known / mark.bandwidth_bytes_per_s - 1) < 1e-9; };
    const auto known = std::find_if(all.begin(), all.end(), same);
    if (known == all.end()) {
      all.push_back(mark.bandwidth_bytes_per_s);
    } else {
      *known = mark.bandwidth_bytes_per_s;
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

BandwidthPoint point_at(const Scenario& scenario, bool inter_node, double bandwidth, std::uint64_t seed) {
  const Scenario s = with_bandwidth(scenario, inter_node, bytes_per_second(bandwidth));
  const Figures f = figures_of(s, FiguresOptions{EngineChoice::recurrence, seed, true});
  return {bandwidth, f.makespan_s, time_of(s, f.makespan_s), *f.exposed_communication_s,
          *f.exposed_communication_s / f.makespan_s};
}

/// Three points an octave; of large rings fewer, down to one in two octaves. 0: even these are too many.
double steps_an_octave(const Scenario& s, std::size_t marks, double most_rank_steps) {
  for (const double steps : {3.0, 2.0, 1.0, 0.5}) {
    if ((8 * steps + 1 + static_cast<double>(marks)) * rank_steps(s) <= most_rank_steps) return steps;
  }
  return 0;
}

}  // namespace

const BandwidthCrossing* BandwidthCurve::deciding() const {
  const BandwidthCrossing* largest = nullptr;
  for (const BandwidthCrossing& one : crossings) {
    if (!one.bandwidth_bytes_per_s) return nullptr;
    if (largest == nullptr || *one.bandwidth_bytes_per_s > *largest->bandwidth_bytes_per_s) largest = &one;
  }
  return largest;
}

BandwidthCurve bandwidth_curve(const Scenario& scenario, const BandwidthOptions& options) {
  Scenario base = scenario;  // copied for every point, without what is only for reading
  base.resolved.clear();
  base.warnings.clear();
  BandwidthCurve curve;
  curve.time_name = time_name(base);
  if (base.parallel.ring == 1) {
    curve.reason = "a ring of one has no hops";
    return curve;
  }
  const JobNetwork network = job_network(base.parallel, base.cluster, base.noise, base.ring);
  curve.inter_node = crosses_nodes(network);
  curve.shares_links = !network.contended.empty();
  const Link& link = ring_link(base, curve.inter_node);
  curve.link_class = link.link_class;
  curve.own_bytes_per_s = in_bytes_per_second(link.bandwidth);
  curve.block_tokens = ring_spec(base).shards.largest_block();
  curve.marks = bandwidth_marks(base, curve.inter_node);
  curve.crossings = bandwidth_crossings(base, curve.inter_node);
  const double steps = steps_an_octave(base, curve.marks.size(), options.most_rank_steps);
  if (steps == 0) {
    curve.reason = fmt::format("a ring of {} takes too long to simulate at many bandwidths", base.parallel.ring);
    return curve;
  }
  const std::vector<double> all = bandwidths(curve.own_bytes_per_s, curve.marks, curve.crossings, steps);
  curve.points.resize(all.size());
  parallel_for(all.size(), options.threads,
               [&](std::size_t i) { curve.points[i] = point_at(base, curve.inter_node, all[i], options.seed); });
  for (BandwidthMark& mark : curve.marks) {
    const auto is_mark = [&](const BandwidthPoint& p) { return p.bandwidth_bytes_per_s == mark.bandwidth_bytes_per_s; };
    mark.at = *std::find_if(curve.points.begin(), curve.points.end(), is_mark);
  }
  return curve;
}

}  // namespace ringsim::sim
