#include "sim/closed_form/engine.hpp"

#include "models/closed_form.hpp"
#include "models/step_times.hpp"
#include "sim/recurrence/costs.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace ringsim::sim {
namespace {

class Lockstep {
 public:
  Lockstep(const RingSpec& spec, const Machine& machine) : spec_(spec), machine_(machine), n_(spec.shards.ring()) {}

  // Time of a rank's compute at a step: k = 0, or any later one, which differ only in the travelling block being
  // before or after the rank's own.
  [[nodiscard]] StepTimes step(Pass pass, std::int64_t rank, std::int64_t k) const {
    const Mask& mask = spec_.masks.front();
    const bool queries_travel = pass == Pass::backward && spec_.shape.backward == Rotation::q;
    const std::int64_t other = (rank - k + n_) % n_;
    const AttendWork work =
        queries_travel ? spec_.shards.work(other, rank, mask) : spec_.shards.work(rank, other, mask);
    return step_times(machine_.costs, pass, shape_of(work), k == 0);
  }

  // Slowest hop of the ring, or of the two hops of one rank.
  [[nodiscard]] Duration hop(Bytes size) const {
    Duration slowest;
    for (const HopCost& h : machine_.hops.kinds()) slowest = std::max(slowest, CostModel::hop(h, size));
    return slowest;
  }
  [[nodiscard]] Duration hop_of(std::int64_t rank, Bytes size) const {
    const auto out = static_cast<std::size_t>(rank);
    const auto in = static_cast<std::size_t>((rank + n_ - 1) % n_);
    return std::max(CostModel::hop(machine_.hops[out], size), CostModel::hop(machine_.hops[in], size));
  }

  // `shares` other than 1 for identical ranks only.
  [[nodiscard]] Duration makespan(bool backward, std::int64_t rank, bool whole_ring, RateShares shares = {}) const {
    const Bytes block = spec_.shape.kv_per_token() * static_cast<double>(spec_.shards.largest_block());
    const auto hop_time = [&](Bytes size) {
      return n_ == 1 ? Duration{} : whole_ring ? hop(size) : hop_of(rank, size);
    };
    const auto longest = [&](Pass pass, std::int64_t k) {
      if (!whole_ring) return step(pass, rank, k);
      // Rank 0 has every travelling block behind it, rank N - 1 none: between them they show both kinds of step.
      const StepTimes first = step(pass, 0, k);
      const StepTimes last = step(pass, n_ - 1, k);
      return StepTimes{std::max(first.compute(), last.compute()), {}, std::max(first.add, last.add)};
    };
    const std::int64_t later = std::min<std::int64_t>(1, n_ - 1);
    if (!backward) {
      const Duration steady = longest(Pass::forward, later).compute();
      return forward_makespan(n_, spec_.buffers, {longest(Pass::forward, 0).compute(), steady, steady, hop_time(block)},
                              shares);
    }
    const auto [operands, gradient] = backward_sizes();
    const StepTimes steady = longest(Pass::backward, later);
    return backward_makespan(
        n_,
        {longest(Pass::backward, 0).compute(), steady.compute(), steady.compute(), steady.add, steady.add,
         hop_time(operands), hop_time(operands + gradient), hop_time(gradient), hop_time(gradient)},
        shares);
  }

  // Bytes of the operands and of the gradient that travel in the backward pass.
  [[nodiscard]] std::pair<Bytes, Bytes> backward_sizes() const {
    const auto tokens = static_cast<double>(spec_.shards.largest_block());
    if (spec_.shape.backward == Rotation::kv)
      return {spec_.shape.kv_per_token() * tokens, spec_.shape.kv_gradient_per_token() * tokens};
    return {spec_.shape.q_bundle_per_token() * tokens, spec_.shape.q_gradient_per_token() * tokens};
  }

  // All ranks do the same at every step, over hops that are alike.
  [[nodiscard]] bool identical_ranks() const {
    if (spec_.masks.front().causal) return false;
    const std::vector<HopCost>& kinds = machine_.hops.kinds();
    const HopCost& first = kinds.front();
    return std::all_of(kinds.begin(), kinds.end(), [&](const HopCost& h) {
      return h.latency == first.latency && h.bandwidth == first.bandwidth && h.by_size == first.by_size;
    });
  }

  // Identical ranks under the contest for SMs.
  [[nodiscard]] Duration contested_makespan(bool backward) const {
    const Duration late = machine_.event_latency;
    if (!backward) {
      const StepTimes steady = step(Pass::forward, 0, 1);
      const Bytes block = spec_.shape.kv_per_token() * static_cast<double>(spec_.shards.largest_block());
      return contested_forward_makespan(
          n_, {step(Pass::forward, 0, 0).kernel, steady.kernel, steady.merge, hop(block), late});
    }
    const StepTimes steady = step(Pass::backward, 0, 1);
    const auto [operands, gradient] = backward_sizes();
    return contested_backward_makespan(
        n_, {step(Pass::backward, 0, 0).kernel, steady.kernel, steady.merge, steady.add, hop(operands),
             hop(operands + gradient), hop(gradient), hop(gradient), late});
  }

  // Compute of one rank over all steps of a layer.
  [[nodiscard]] Duration compute(Pass pass, std::int64_t rank) const {
    const StepTimes later = step(pass, rank, std::min<std::int64_t>(1, n_ - 1));
    return step(pass, rank, 0).compute() + static_cast<double>(n_ - 1) * (later.compute() + later.add);
  }

  // What identical ranks compute longer in a layer because hops come in meanwhile.
  [[nodiscard]] Duration lost(Pass pass, RateShares shares) const {
    if (n_ == 1) return {};
    const auto middle = static_cast<double>(n_ - 2);
    const Duration first = step(pass, 0, 0).compute();
    const Duration steady = step(pass, 0, 1).compute();
    if (pass == Pass::forward) {
      const Duration block = hop(spec_.shape.kv_per_token() * static_cast<double>(spec_.shards.largest_block()));
      return shares.lost(first, block) + middle * shares.lost(steady, block);
    }
    const auto [operands, gradient] = backward_sizes();
    return shares.lost(first, hop(operands)) + middle * shares.lost(steady, hop(operands + gradient)) +
           shares.lost(steady, hop(gradient));
  }

  // A rank whose own times and own hops give the makespan of the whole ring, if there is one among those whose steps are
  // all of one kind: then no rank is ever later than it, and the formula is exact.
  [[nodiscard]] std::int64_t pacing_rank(bool backward) const {
    const Duration forward_s = makespan(false, 0, true);
    const Duration backward_s = backward ? makespan(true, 0, true) : Duration{};
    const auto paces = [&](std::int64_t rank) {
      return makespan(false, rank, false) == forward_s && (!backward || makespan(true, rank, false) == backward_s);
    };
    for (const std::int64_t rank : {n_ - 1, std::int64_t{0}}) {
      if (paces(rank)) return rank;
    }
    if (!steps_alike()) return -1;
    // The ranks between these two have blocks before them only, so they differ in their two hops alone.
    std::set<std::pair<std::uint32_t, std::uint32_t>> tried;
    for (std::int64_t rank = 1; rank + 1 < n_; ++rank) {
      const auto out = static_cast<std::size_t>(rank);
      const std::vector<std::uint32_t>& kinds = machine_.hops.kind_of();
      if (tried.emplace(kinds[out - 1], kinds[out]).second && paces(rank)) return rank;
    }
    return -1;
  }

 private:
  [[nodiscard]] bool steps_alike() const {
    for (const Pass pass : {Pass::forward, Pass::backward}) {
      const std::int64_t k = std::min<std::int64_t>(1, n_ - 1);
      const StepTimes first = step(pass, 0, k);
      const StepTimes last = step(pass, n_ - 1, k);
      if (first.compute() != last.compute() || first.add != last.add) return false;
    }
    return true;
  }

  const RingSpec& spec_;
  const Machine& machine_;
  std::int64_t n_;
};

// Compute of every rank over one pass of the program's steps [s].
std::vector<double> compute_of_ranks(const Program& program, const Machine& machine) {
  const auto n = static_cast<std::size_t>(program.ring());
  std::vector<double> change(n + 1, 0.0);  // of the sum from one rank to the next
  std::map<const void*, StepCosts> costs;
  const Attend* attend = nullptr;
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t layer, std::int64_t step) {
    const auto* merge = std::get_if<Merge>(&operation.what);
    if (const auto* a = std::get_if<Attend>(&operation.what)) {
      attend = a;
    } else if (merge == nullptr) {
      return;
    }
    const void* key = merge != nullptr ? static_cast<const void*>(merge) : attend;
    const auto known = costs.try_emplace(key, program, machine, ComputeOperation{attend, merge}, layer).first;
    for (const SegmentCost& s : known->second.at(step)) {
      change[static_cast<std::size_t>(s.begin)] += s.seconds;
      change[static_cast<std::size_t>(s.end)] -= s.seconds;
    }
  });
  std::vector<double> sum(n, 0.0);
  double running = 0;
  for (std::size_t r = 0; r < n; ++r) {
    running += change[r];
    sum[r] = running * (machine.slowdown.empty() ? 1.0 : machine.slowdown[r]);
  }
  return sum;
}

// Time of every hop over all its transfers in one pass of the program's steps [s].
std::vector<double> transfers_of_hops(const Program& program, const Machine& machine) {
  std::vector<double> sum(machine.hops.size(), 0.0);
  const auto add = [&](const Shift& shift, std::int64_t step, double times) {
    for (std::size_t r = 0; r < sum.size(); ++r) {
      const Bytes size = program.sent(shift, step, static_cast<std::int64_t>(r));
      sum[r] += times * in_seconds(CostModel::hop(machine.hops[r], size));
    }
  };
  std::map<const Shift*, double> executions;  // even shards: a shift has one size at all steps
  for_each_execution(program.body, [&](const Operation& operation, std::int64_t, std::int64_t step) {
    const auto* shift = std::get_if<Shift>(&operation.what);
    if (shift == nullptr) return;
    if (program.shards.even()) {
      ++executions[shift];
    } else {
      add(*shift, step, 1.0);
    }
  });
  for (const auto& [shift, times] : executions) add(*shift, 0, times);
  return sum;
}

// Which passes a run consists of.
struct Passes {
  bool forward = true;
  bool backward = false;
};

// Even shards, K/V (backward: or queries) that go one way, no window: a step differs from another only in whether the travelling
// block stands before or after the rank's own, of which rank r meets r and N - 1 - r (queries that travel: the reverse).
bool counts_by_formula(const RingSpec& spec) {
  return spec.shards.even() && spec.exchange == Exchange::one_way && spec.shape.travels == Rotation::kv &&
         std::none_of(spec.masks.begin(), spec.masks.end(), [](const Mask& mask) { return mask.window.has_value(); });
}

// Adds the compute of every rank and the transfers of every hop in `layers` layers of one pass [s].
void add_by_formula(const RingSpec& one, const Machine& machine, Pass pass, double layers, std::vector<double>& compute,
                    std::vector<double>& wire) {
  const Lockstep ring(one, machine);
  const std::int64_t n = one.shards.ring();
  const double own = in_seconds(ring.step(pass, 0, 0).compute());
  double before = 0;
  double after = 0;
  if (n > 1) {
    before = in_seconds(ring.step(pass, n - 1, 1).all());
    after = in_seconds(ring.step(pass, 0, 1).all());
  }
  for (std::int64_t r = 0; r < n; ++r) {
    const double sum = own + static_cast<double>(r) * before + static_cast<double>(n - 1 - r) * after;
    const auto rank = static_cast<std::size_t>(r);
    compute[rank] += layers * sum * (machine.slowdown.empty() ? 1.0 : machine.slowdown[rank]);
  }
  const Bytes block = one.shape.kv_per_token() * static_cast<double>(one.shards.largest_block());
  const auto [operands, gradient] = ring.backward_sizes();
  std::vector<double> of_kind;
  for (const HopCost& hop : machine.hops.kinds()) {
    if (pass == Pass::forward) {
      of_kind.push_back(layers * static_cast<double>(n - 1) * in_seconds(CostModel::hop(hop, block)));
    } else {
      of_kind.push_back(layers * (in_seconds(CostModel::hop(hop, operands)) +
                                  static_cast<double>(n - 2) * in_seconds(CostModel::hop(hop, operands + gradient)) +
                                  2 * in_seconds(CostModel::hop(hop, gradient))));
    }
  }
  for (std::size_t r = 0; r < wire.size(); ++r) wire[r] += of_kind[machine.hops.kind_of()[r]];
}

// The busiest stream: the compute of the busiest rank or the transfers of the slowest hop, every operation once. Layers of
// one mask are alike, so one of each is counted.
ClosedFormResult bound(const RingSpec& spec, const Machine& machine, Passes passes, const std::string& why) {
  const auto n = static_cast<std::size_t>(spec.shards.ring());
  std::vector<double> compute(n, 0.0);
  std::vector<double> wire(machine.hops.size(), 0.0);
  for (std::size_t mask = 0; mask < spec.masks.size(); ++mask) {
    RingSpec one = spec;
    one.masks = {spec.masks[mask]};
    one.mask_of_layer = {0};
    const auto layers = static_cast<double>(std::count(spec.mask_of_layer.begin(), spec.mask_of_layer.end(), mask));
    if (counts_by_formula(spec)) {
      if (passes.forward) add_by_formula(one, machine, Pass::forward, layers, compute, wire);
      if (passes.backward) add_by_formula(one, machine, Pass::backward, layers, compute, wire);
      continue;
    }
    const Program program = ring_program_of(one, passes.forward, passes.backward);
    const std::vector<double> of_layer = compute_of_ranks(program, machine);
    for (std::size_t r = 0; r < n; ++r) compute[r] += layers * of_layer[r];
    const std::vector<double> of_hops = transfers_of_hops(program, machine);
    for (std::size_t r = 0; r < wire.size(); ++r) wire[r] += layers * of_hops[r];
  }
  ClosedFormResult result;
  result.compute_s = *std::max_element(compute.begin(), compute.end());
  const double transfers = wire.empty() ? 0.0 : *std::max_element(wire.begin(), wire.end());
  result.makespan_s = std::max(result.compute_s, transfers);
  result.note = "lower bound, the work of the busiest stream: " + why;
  return result;
}

}  // namespace

ClosedFormResult closed_form(const RingSpec& spec, const Machine& machine, bool backward, bool forward) {
  const Passes passes{forward, backward};
  const bool one_mask = spec.masks.size() == 1 && !spec.masks.front().window;
  if (!one_mask) return bound(spec, machine, passes, "a sliding window makes every step different");
  if (!spec.shards.even()) return bound(spec, machine, passes, "the shards are uneven");
  if (!machine.slowdown.empty() || !machine.start_s.empty())
    return bound(spec, machine, passes, "ranks differ in speed");
  const Lockstep ring(spec, machine);
  const bool contest = machine.contest && spec.shards.ring() > 1;
  if (contest && (!ring.identical_ranks() || spec.buffers != 2)) {
    return bound(spec, machine, passes,
                 "the contest for SMs has a closed form only for identical ranks with two buffers");
  }
  // Kernels and hops that slow each other down: the formula holds for identical ranks. Elsewhere the makespan without
  // interference bounds it from below: kernels and hops then take at least as long, starts are maxima of ends, so by
  // induction over steps nothing happens earlier.
  const bool sharing = machine.sharing && spec.shards.ring() > 1;
  const bool alike = sharing && machine.sharing->forward == machine.sharing->other &&
                     machine.sharing->backward == machine.sharing->other;
  const bool shared_exactly = alike && ring.identical_ranks() && spec.buffers == 2;
  const RateShares shares = shared_exactly ? machine.sharing->other : RateShares{};
  const std::int64_t rank = contest || shared_exactly ? 0 : ring.pacing_rank(backward);
  if (rank < 0) return bound(spec, machine, passes, "no single rank is the slowest at every step");
  const auto layer = [&](bool back) {
    return in_seconds(contest ? ring.contested_makespan(back) : ring.makespan(back, rank, true, shares));
  };
  const auto layers = static_cast<double>(spec.mask_of_layer.size());
  ClosedFormResult result;
  const bool issues = in_seconds(machine.issue) > 0;
  result.exact = (!sharing || shared_exactly) && !issues;
  result.note = issues                      ? "lower bound: the time to issue operations is left out"
                : !result.exact             ? "lower bound: what kernels and hops cost each other is left out"
                : contest || shared_exactly ? "exact: the ranks are identical"
                                            : "exact: the ranks run in lockstep";
  if (forward) {
    result.makespan_s = layer(false) * layers;
    result.compute_s = in_seconds(ring.compute(Pass::forward, rank) + ring.lost(Pass::forward, shares)) * layers;
  }
  if (backward) {
    result.makespan_s += layer(true) * layers;
    result.compute_s += in_seconds(ring.compute(Pass::backward, rank) + ring.lost(Pass::backward, shares)) * layers;
  }
  return result;
}

}  // namespace ringsim::sim
