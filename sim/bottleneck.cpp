#include "sim/bottleneck.hpp"

#include "models/bmin.hpp"
#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace ringsim::sim {
namespace {

constexpr double noticeable = 0.25;

// The step of the pass that hides less: its compute, its hop, and B_min.
struct Step {
  Pass pass = Pass::forward;
  double compute_s = 0;
  double hop_s = 0;
  const BlockMinima* minima = nullptr;
  [[nodiscard]] bool hop_outlasts() const { return hop_s > compute_s; }
};

// The slowest hop of a step's shift, and what it carries.
struct SlowestHop {
  std::size_t from = 0;
  HopCost cost;
  Bytes size;
};
SlowestHop slowest_hop_of(const Step& step, const Prediction& p, const Machine& machine) {
  const Bytes size = steady_bytes_per_token(machine.costs.shape(), step.pass) * static_cast<double>(p.tokens_per_rank);
  const std::size_t from = slowest_hop(machine.hops, size);
  return {from, machine.hops[from], size};
}

Step tighter_step(const Prediction& p) {
  const Step forward{Pass::forward, p.step_compute_s, p.step_hop_s, &p.b_min_forward};
  if (!p.backward_step_compute_s) return forward;
  const Step backward{Pass::backward, *p.backward_step_compute_s, *p.backward_step_hop_s, &p.b_min_backward};
  if (p.phase == name_of(Phase::backward)) return backward;
  return backward.hop_s - backward.compute_s > forward.hop_s - forward.compute_s ? backward : forward;
}

std::string hop_name(const SlowestHop& hop, const Machine& machine) {
  return fmt::format("hop {} -> {} ({}, {})", hop.from, (hop.from + 1) % machine.hops.size(), hop.cost.link_class,
                     hop.cost.inter_node ? "between nodes" : "inside the node");
}

// The hop is longer than the computation: what would hide it.
std::string long_hop_sentence(const Prediction& p, const Step& step, const Machine& machine) {
  const SlowestHop hop = slowest_hop_of(step, p, machine);
  const double latency_s = in_seconds(hop.cost.latency);
  std::string text =
      fmt::format("The {} decides: in a {} step it takes {}, the computation {}.", hop_name(hop, machine),
                  name_of(step.pass), phrases::time(step.hop_s), phrases::time(step.compute_s));
  if (step.compute_s <= 0) return text + " The mask leaves nothing to compute in most steps.";
  if (step.compute_s <= latency_s) {
    return text + " Its latency alone is longer than the computation: larger blocks, not more bandwidth, are needed.";
  }
  // Both as reached with messages of this size.
  text += fmt::format(" It would hide at {} GB/s instead of {}",
                      phrases::at_least(in_bytes(hop.size) / (step.compute_s - latency_s) / 1e9),
                      phrases::bandwidth(in_bytes_per_second(CostModel::reached_bandwidth(hop.cost, hop.size))));
  // B_min is of full attention: it is no advice for a step that a window cuts.
  if (step.minima->calibrated_tokens && p.b_min_note.empty()) {
    text += fmt::format(", or with at least {} tokens a rank instead of {}",
                        phrases::whole_tokens(*step.minima->calibrated_tokens), phrases::count(p.tokens_per_rank));
  }
  return text + '.';
}

// Each hop is short enough; what is exposed comes from who is first on the SMs, or from hops with nothing beside them.
std::string short_hop_sentence(const Prediction& p, const Step& step, const Machine& machine, double share) {
  const std::string head =
      fmt::format("Transfers take {} of the time although a hop ({}) is shorter than a step's compute ({})",
                  phrases::percent(share), phrases::time(step.hop_s), phrases::time(step.compute_s));
  if (machine.contest) {
    return head +
           ": the transfer kernel waits until an attention kernel frees the SMs, so a step can take the sum of the two "
           "instead of their maximum. A copy engine, or a transfer kernel made to start first, would hide most of it.";
  }
  if (p.backward_step_compute_s) {
    return head + ": what is left are hops with no compute beside them, such as the gradients' way home.";
  }
  return head + ": what is left are the first steps, whose compute is shorter.";
}

BottleneckStatement imbalance_of(const Prediction& p, const Scenario& s, const RankSummary& slowest,
                                 double mean_compute, double imbalance) {
  BottleneckStatement b{"imbalance", fmt::format("rank {} computes longest", slowest.rank), imbalance, {}};
  const std::string unequal = fmt::format("rank {} computes for {}, the mean rank for {}", slowest.rank,
                                          phrases::time(slowest.compute_s), phrases::time(mean_compute));
  if (s.workload.causal && s.ring.layout == Layout::contiguous && p.b_min_note.empty()) {
    b.name = "causal contiguous layout";
    b.sentence = fmt::format(
        "The causal mask leaves the ranks of a contiguous layout unequal work: {}. Zigzag would give "
        "every rank the same and could save up to {}.",
        unequal, phrases::percent(imbalance));
  } else {
    b.sentence = fmt::format("R{}: the others wait for it.", unequal.substr(1));
  }
  return b;
}

// The straggler that costs most, where that is more than a little.
std::optional<BottleneckStatement> straggler_of(const Prediction& p) {
  constexpr double a_little = 0.03;
  const auto worst =
      std::max_element(p.stragglers.begin(), p.stragglers.end(),
                       [](const StragglerCost& a, const StragglerCost& b) { return a.makespan_s < b.makespan_s; });
  if (worst == p.stragglers.end() || worst->makespan_s < a_little * p.makespan_s) return std::nullopt;
  const double share = worst->makespan_s / p.makespan_s;
  return BottleneckStatement{
      "imbalance", fmt::format("slow rank {}", worst->rank), share,
      fmt::format(
          "Rank {} computes {} times as long as the others, who wait {} each for it: without it the run would take {} "
          "less ({}). Replace that GPU, or give it less work.",
          worst->rank, phrases::number(worst->slowdown), phrases::time(std::max(0.0, worst->others_wait_s)),
          phrases::time(worst->makespan_s), phrases::percent(share))};
}

BottleneckStatement compute_of(const Prediction& p, const RankSummary& slowest, double transfer) {
  const double share = slowest.attention_s / p.makespan_s;
  std::string sentence = fmt::format("Attention kernels take {} of the time", phrases::percent(share));
  const Step step = tighter_step(p);
  if (p.deciding_hop && step.hop_s > 0) {
    sentence += fmt::format("; a step computes {} times as long as its hop takes, so more bandwidth would gain {}",
                            phrases::number(step.compute_s / step.hop_s),
                            transfer > 0.0005 ? "at most " + phrases::percent(transfer) : "nothing");
  }
  return {"compute", "attention kernels", share, sentence + ". Faster kernels or more ranks shorten it."};
}

// The closed form knows compute and the rest only.
BottleneckStatement of_closed_form(const Prediction& p, const Machine& machine) {
  const Step step = tighter_step(p);
  const double share = p.exposed_communication_s / p.makespan_s;
  if (p.deciding_hop && step.hop_outlasts()) {
    return {"transfer", hop_name(slowest_hop_of(step, p, machine), machine), share,
            long_hop_sentence(p, step, machine)};
  }
  return {"compute", "attention kernels", 1.0 - share,
          fmt::format("Computation takes {} of the time{}.", phrases::percent(1.0 - share),
                      p.makespan_is_bound ? " that is needed at least" : "")};
}

}  // namespace

BottleneckStatement bottleneck_of(const Prediction& p, const Scenario& s, const Machine& machine) {
  if (p.per_rank.empty()) return of_closed_form(p, machine);
  const RankSummary& slowest = *std::find_if(p.per_rank.begin(), p.per_rank.end(),
                                             [&](const RankSummary& r) { return r.rank == p.slowest_rank; });
  double mean_compute = 0;
  for (const RankSummary& r : p.per_rank) mean_compute += r.compute_s / static_cast<double>(p.per_rank.size());
  const double imbalance = std::max(0.0, slowest.compute_s - mean_compute) / p.makespan_s;
  const double masked = slowest.bubble_masked_s / p.makespan_s;
  const double transfer = (slowest.exposed_communication_s + slowest.bubble_late_s) / p.makespan_s;
  const double overhead = slowest.merge_s / p.makespan_s;
  const double largest = std::max({imbalance, masked, transfer, overhead});

  if (const auto straggler = straggler_of(p); straggler && straggler->share >= std::min(largest, noticeable)) {
    return *straggler;
  }
  if (largest >= noticeable && largest == masked) {
    return {"imbalance", "steps that the mask empties", masked,
            fmt::format(
                "In {} of the time rank {} only passes on blocks that its mask does not see: exchanging the few tokens "
                "that are seen instead of rotating whole blocks would save most of it.",
                phrases::percent(masked), slowest.rank)};
  }
  if (largest >= noticeable && largest == imbalance) return imbalance_of(p, s, slowest, mean_compute, imbalance);
  const Step step = tighter_step(p);
  if (p.deciding_hop && step.hop_outlasts()) {
    // The hop paces the ring, however much of it hides: the slower of the two repeats at every step.
    return {"transfer", hop_name(slowest_hop_of(step, p, machine), machine), slowest.in_flight_s / p.makespan_s,
            long_hop_sentence(p, step, machine)};
  }
  if (largest >= noticeable && largest == transfer && p.deciding_hop) {
    return {"transfer", hop_name(slowest_hop_of(step, p, machine), machine), transfer,
            short_hop_sentence(p, step, machine, transfer)};
  }
  if (largest >= noticeable && largest == overhead) {
    return {"overhead", "merging partial results", overhead,
            fmt::format("Merging partial results takes {} of the time: larger blocks, or a kernel that merges in its "
                        "epilogue, would help.",
                        phrases::percent(overhead))};
  }
  return compute_of(p, slowest, transfer);
}

}  // namespace ringsim::sim
