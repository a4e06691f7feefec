#include "sim/curves/crossing.hpp"

#include "sim/bmin.hpp"
#include "sim/curves/ring_links.hpp"
#include "sim/machine.hpp"
#include "sim/model_rates.hpp"
#include "sim/phrases.hpp"
#include "sim/schedules/model_program.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <string>

namespace ringsim::sim {
namespace {

/// The steady step of a pass at a bandwidth, for the block of the scenario.
class Steady {
 public:
  Steady(const Scenario& scenario, bool inter_node, Pass pass)
      : base_(scenario),
        inter_node_(inter_node),
        probe_{{}, scenario.ring.layout, scenario.workload.causal, scenario.ring.buffers, pass} {
    const Program program = programs_of(base_).front().program;
    probe_.shape = program.shape;
    block_ = program.shards.largest_block();
  }

  [[nodiscard]] bool hides_alone(double bandwidth) const {
    const Scenario s = with_bandwidth(base_, inter_node_, bytes_per_second(bandwidth));
    const BlockMinima minima = block_minima(probe_, machine(s), s, false);
    return minima.calibrated_tokens && *minima.calibrated_tokens <= static_cast<double>(block_);
  }

  [[nodiscard]] bool hides_simulated(double bandwidth) const {
    const Machine m = machine(with_bandwidth(base_, inter_node_, bytes_per_second(bandwidth)));
    const SteadyStep step = steady_step(probe_, m, block_);
    return step.step_s <= step.compute_s * (base_.profile.calibrated ? 1.01 : 1.0 + 1e-9);
  }

  [[nodiscard]] std::int64_t block() const { return block_; }

 private:
  [[nodiscard]] Machine machine(const Scenario& s) const {
    Machine m = machine_of(s);
    m.costs = m.costs.with_shape(probe_.shape);
    return m;
  }

  const Scenario& base_;
  bool inter_node_;
  BlockProbe probe_;
  std::int64_t block_ = 0;
};

/// Where a condition begins to hold along the bandwidth; else why it never begins.
template <class Condition>
std::optional<double> beginning(double own, double precision, const Condition& holds, std::string& reason,
                                const std::string& never) {
  double low = own * std::exp2(-40);
  double high = own * std::exp2(40);
  if (!holds(high)) {
    reason = never;
    return std::nullopt;
  }
  if (holds(low)) {
    reason = "the hop hides at every bandwidth that was looked at";
    return std::nullopt;
  }
  while (high / low > 1 + precision) {
    const double middle = std::sqrt(low * high);
    (holds(middle) ? high : low) = middle;
  }
  return high;
}

BandwidthCrossing crossing_of(const Steady& steady, Pass pass, double own) {
  BandwidthCrossing crossing;
  crossing.pass = pass;
  const std::string block = phrases::count(steady.block());
  crossing.bandwidth_bytes_per_s = beginning(
      own, 1e-9, [&](double w) { return steady.hides_alone(w); }, crossing.reason,
      fmt::format(
          "no bandwidth of these links hides the hop of a block of {} tokens: its latency, or another hop of the "
          "ring, takes longer than its computation",
          block));
  crossing.simulated_bytes_per_s = beginning(
      own, 1e-4, [&](double w) { return steady.hides_simulated(w); }, crossing.simulated_reason,
      fmt::format("at no bandwidth of these links a steady step with a block of {} tokens takes as little as its "
                  "computation",
                  block));
  return crossing;
}

}  // namespace

std::vector<BandwidthCrossing> bandwidth_crossings(const Scenario& scenario, bool inter_node) {
  // Around attention a whole model has the same ring.
  Scenario attention = scenario;
  attention.workload.scope = Scope::attention;
  const std::string why_not = why_no_b_min(attention);
  std::vector<BandwidthCrossing> all;
  const auto add = [&](Pass pass) {
    if (!why_not.empty()) {
      all.push_back({pass, std::nullopt, why_not, std::nullopt, why_not});
      return;
    }
    const Steady steady(scenario, inter_node, pass);
    all.push_back(crossing_of(steady, pass, in_bytes_per_second(ring_link(scenario, inter_node).bandwidth)));
  };
  if (runs_forward(scenario.workload.phase)) add(Pass::forward);
  if (runs_backward(scenario.workload.phase)) add(Pass::backward);
  return all;
}

}  // namespace ringsim::sim
