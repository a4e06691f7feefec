#include "sim/bmin.hpp"

#include "models/ring_shape.hpp"
#include "sim/recurrence/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::sim {
namespace {

constexpr std::int64_t shortest_probe = 16;
constexpr std::int64_t longest_probe = 64;

// The machine of the probe ring: hops (and slow ranks) repeated, or cut around the slowest hop.
Machine probe_machine(const Machine& machine, const BlockProbe& probe, std::int64_t block) {
  const auto n = static_cast<std::int64_t>(machine.hops.size());
  std::int64_t length = n;
  while (length < shortest_probe) length += n;
  length = std::min(length, std::max(longest_probe, shortest_probe));
  const Bytes size = steady_bytes_per_token(probe.shape, probe.pass) * static_cast<double>(block);
  const auto slowest = static_cast<std::int64_t>(slowest_hop(machine.hops, size));
  Machine result{machine.costs, {}, {}, {}, machine.contest, machine.event_latency, machine.issue, machine.sharing};
  const std::int64_t first = n > length ? (slowest - length / 2 + n) % n : 0;
  for (std::int64_t r = 0; r < length; ++r) {
    const auto from = static_cast<std::size_t>((first + r) % n);
    result.hops.push_back(machine.hops[from]);
    if (!machine.slowdown.empty()) result.slowdown.push_back(machine.slowdown[from]);
  }
  if (!machine.slowdown.empty()) {  // the slowest rank decides, wherever it is
    result.slowdown[static_cast<std::size_t>(length / 2)] =
        *std::max_element(machine.slowdown.begin(), machine.slowdown.end());
  }
  return result;
}

class StepStarts final : public Observer {
 public:
  StepStarts(std::int64_t from, std::int64_t to, std::int64_t ranks) : from_(from), to_(to) {
    for (Eigen::ArrayXd* a : {&first_, &last_, &compute_}) a->setZero(ranks);
  }
  void on_compute(const ComputeEvent& event) override {
    if (event.step >= from_ && event.step < to_) compute_ += event.end - event.start;
    if (!event.attention) return;
    if (event.step == from_) first_ = event.start;
    if (event.step == to_) last_ = event.start;
  }
  [[nodiscard]] SteadyStep result() const {
    const auto steps = static_cast<double>(to_ - from_);
    return {(last_ - first_).maxCoeff() / steps, compute_.maxCoeff() / steps};
  }

 private:
  std::int64_t from_, to_;
  Eigen::ArrayXd first_, last_, compute_;
};

}  // namespace

SteadyStep steady_step(const BlockProbe& probe, const Machine& machine, std::int64_t block) {
  const Machine ring = probe_machine(machine, probe, block);
  const auto n = static_cast<std::int64_t>(ring.hops.size());
  const RingSpec spec{
      Shards(probe.layout, block * n, n), probe.shape, probe.buffers, {Mask{probe.causal, std::nullopt}}, {0}};
  const Program program = ring_program_of(spec, probe.pass == Pass::forward, probe.pass == Pass::backward);
  const std::int64_t to = n - 1;
  const std::int64_t from = to - n / 2 / 2 * 2;  // an even number of steps
  StepStarts starts(from, to, n);
  RecurrenceEngine engine(program, ring);
  engine.run(&starts);
  return starts.result();
}

BlockMinimum block_minimum_simulated(const BlockProbe& probe, const Machine& machine) {
  constexpr std::int64_t largest = std::int64_t{1} << 24;
  const double tolerance = machine.costs.profile().calibrated ? 0.01 : 1e-9;
  const std::int64_t unit = probe.layout == Layout::zigzag ? 2 : 1;
  const auto hidden = [&](std::int64_t block) {
    const SteadyStep s = steady_step(probe, machine, block * unit);
    return s.step_s <= s.compute_s * (1.0 + tolerance);
  };
  std::int64_t above = largest / unit;
  if (!hidden(above)) {
    const SteadyStep s = steady_step(probe, machine, largest);
    return {std::nullopt, fmt::format("at {} tokens a rank a steady step still takes {:.1f} % more than its compute{}",
                                      largest, 100.0 * (s.step_s / s.compute_s - 1.0),
                                      machine.contest ? " (the contest for SMs makes steps alternate)" : "")};
  }
  std::int64_t below = 0;
  while (above > 1) {
    const std::int64_t next = std::max<std::int64_t>(1, std::min(above - 1, above * 95 / 100));
    if (!hidden(next)) {
      below = next;
      break;
    }
    above = next;
  }
  while (above - below > 1) {
    const std::int64_t middle = below + (above - below) / 2;
    (hidden(middle) ? above : below) = middle;
  }
  return {static_cast<double>(above * unit), {}};
}

BlockMinima block_minima(const BlockProbe& probe, const Machine& machine, const Scenario& scenario, bool simulate) {
  BlockMinima minima;
  const double share = steady_share(probe.layout, probe.causal);
  const FlopRate f = peak(scenario.cluster.gpu, scenario.workload.dtype);
  Bandwidth w = bytes_per_second(1e300);
  for (const HopCost& hop : machine.hops.kinds()) w = std::min(w, hop.nominal);
  if (machine.hops.empty()) {
    minima.calibrated_tokens = 0.0;
    minima.calibrated_reason = minima.simulated_reason = "nothing travels in a ring of one";
    return minima;
  }
  minima.datasheet_tokens = block_minimum_closed_form(probe.shape, probe.pass, share, f, w);
  const auto block = static_cast<double>(
      Shards(scenario.ring.layout, scenario.workload.tokens, scenario.parallel.ring).largest_block());
  const HopCost& slowest =
      machine.hops[slowest_hop(machine.hops, steady_bytes_per_token(probe.shape, probe.pass) * block)];
  const BlockMinimum calibrated = block_minimum_calibrated(probe.shape, probe.pass, share, machine.costs, slowest);
  minima.calibrated_tokens = calibrated.tokens;
  minima.calibrated_reason = calibrated.reason;
  if (!simulate) return minima;
  const BlockMinimum simulated = block_minimum_simulated(probe, machine);
  minima.simulated_tokens = simulated.tokens;
  minima.simulated_reason = simulated.reason;
  return minima;
}

std::vector<LayoutMinima> layout_minima(const Scenario& scenario) {
  const Machine machine = machine_of(scenario);
  std::vector<LayoutMinima> table;
  for (const auto& [layout, causal] : {std::pair(Layout::contiguous, false), std::pair(Layout::contiguous, true),
                                       std::pair(Layout::striped, true), std::pair(Layout::zigzag, true)}) {
    LayoutMinima row{layout, causal, {}, {}};
    BlockProbe probe{ring_shape(scenario), layout, causal, scenario.ring.buffers, Pass::forward};
    row.forward = block_minima(probe, machine, scenario, true);
    probe.pass = Pass::backward;
    row.backward = block_minima(probe, machine, scenario, true);
    table.push_back(std::move(row));
  }
  return table;
}

}  // namespace ringsim::sim
