#include "models/error.hpp"
#include "models/memory.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/solve.hpp"
#include "sim/planner/threshold.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringsim::sim {
namespace {

constexpr int steps_each_way = 24;  // of a quarter of an octave: from 1/64 to 64 times the bandwidth
constexpr double precision = 1e-4;

bool meets(const SolvePoint& point, const SolveOptions& options) {
  if (options.most_exposed && point.exposed_share > *options.most_exposed) return false;
  return !options.most_time_s || point.time_s <= *options.most_time_s;
}

}  // namespace

SolvePoint predict_point(const Scenario& s, double x, std::uint64_t seed) {
  const Prediction p = predict_by_recurrence(s, seed);
  SolvePoint point;
  point.x = x;
  point.time_s = time_of(s, p.makespan_s);
  point.exposed_share = p.exposed_communication_s / p.makespan_s;
  point.fits = p.memory.fits();
  point.gpus = p.ranks;
  return point;
}

BandwidthAnswer solve_bandwidth(const Scenario& scenario, const SolveOptions& options) {
  if (!scenario.cluster.inter_node) {
    throw Error("the cluster has no network between nodes", "cluster.inter_node", "a bandwidth, such as 400 Gb/s");
  }
  Scenario base = scenario;
  base.resolved.clear();
  const auto at = [&](double bandwidth) {
    Scenario s = base;
    s.cluster.inter_node->bandwidth = bytes_per_second(bandwidth);
    SolvePoint point = predict_point(s, bandwidth, options.seed);
    point.holds = meets(point, options);
    return point;
  };
  BandwidthAnswer answer;
  answer.link_class = base.cluster.inter_node->link_class;
  answer.now_bytes_per_s = in_bytes_per_second(base.cluster.inter_node->bandwidth);
  answer.points.resize(2 * steps_each_way + 1);
  const auto grid = [&](std::size_t i) {
    return answer.now_bytes_per_s * std::exp2((static_cast<double>(i) - steps_each_way) / 4.0);
  };
  const Threshold found = find_threshold(answer.points.size(), options.threads, [&](std::size_t i) {
    answer.points[i] = at(grid(i));
    return answer.points[i].holds;
  });
  answer.now = answer.points[steps_each_way];
  answer.monotone = found.monotone;
  if (answer.points.front().time_s == answer.points.back().time_s) {
    throw Error("no message of the plan crosses nodes: the bandwidth between them changes nothing", "parallel",
                "a plan on several nodes");
  }
  if (!found.first_holding) {
    answer.at_answer = answer.points.back();
    answer.fails_bytes_per_s = answer.points.back().x;
    return answer;
  }
  const std::size_t first = *found.first_holding;
  answer.answer_bytes_per_s = answer.points[first].x;
  answer.at_answer = answer.points[first];
  if (first == 0) return answer;
  double low = answer.points[first - 1].x;
  double high = answer.points[first].x;
  while (high / low > 1 + precision) {
    const double middle = std::sqrt(low * high);
    const SolvePoint point = at(middle);
    if (point.holds) {
      high = middle;
      answer.at_answer = point;
    } else {
      low = middle;
    }
  }
  answer.answer_bytes_per_s = high;
  answer.fails_bytes_per_s = low;
  return answer;
}

}  // namespace ringsim::sim
