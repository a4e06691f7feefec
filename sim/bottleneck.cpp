#include "sim/bottleneck.hpp"

#include "models/bmin.hpp"
#include "models/ring_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ringsim::sim {
namespace {

std::string time_text(double s) {
  if (s < 1e-3) return fmt::format("{:.3g} us", s * 1e6);
  if (s < 1.0) return fmt::format("{:.3g} ms", s * 1e3);
  return fmt::format("{:.3g} s", s);
}

std::string bandwidth_text(double bytes_per_s) { return fmt::format("{:.3g} GB/s", bytes_per_s / 1e9); }

// 1,048,576
std::string count(double n) { return fmt::format("{}", fmt::group_digits(static_cast<std::int64_t>(n))); }
std::string count(std::int64_t n) { return fmt::format("{}", fmt::group_digits(n)); }

// Rounded up; what the search leaves beyond a whole number is not a token.
double whole_tokens(double tokens) { return std::ceil(tokens * (1.0 - 1e-9)); }

std::string percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

// Steps of the pass that hides less: its compute, its hop, and B_min.
struct Step {
  Pass pass = Pass::forward;
  double compute_s = 0;
  double hop_s = 0;
  const BlockMinima* minima = nullptr;
};
Step tighter_step(const Prediction& p) {
  const Step forward{Pass::forward, p.step_compute_s, p.step_hop_s, &p.b_min_forward};
  if (!p.backward_step_compute_s) return forward;
  const Step backward{Pass::backward, *p.backward_step_compute_s, *p.backward_step_hop_s, &p.b_min_backward};
  return backward.hop_s - backward.compute_s > forward.hop_s - forward.compute_s ? backward : forward;
}

std::string hop_name(const DecidingHop& hop) {
  return fmt::format("hop {} -> {} ({}, {})", hop.from_rank, hop.to_rank, hop.link_class,
                     hop.inter_node ? "between nodes" : "inside the node");
}

std::string transfer_sentence(const Prediction& p, const Machine& machine, const RankSummary& rank) {
  const Step step = tighter_step(p);
  const DecidingHop& hop = *p.deciding_hop;
  if (step.hop_s <= step.compute_s) {
    // Each hop would hide; what is exposed comes from who is first on the SMs, or from hops with nothing to hide behind.
    if (machine.contest) {
      return fmt::format(
          "Transfers take {} of the time although a hop ({}) is shorter than a step's compute ({}): the transfer "
          "kernel waits until "
          "an attention kernel frees the SMs, so steps alternate between the sum and the maximum of the two. A copy "
          "engine, or a "
          "transfer kernel made to start first, would hide it.",
          percent((rank.exposed_communication_s + rank.bubble_late_s) / p.makespan_s), time_text(step.hop_s),
          time_text(step.compute_s));
    }
    return fmt::format(
        "Transfers take {} of the time although a steady hop ({}) hides behind a step's compute ({}): what is left are "
        "hops "
        "with no compute to hide behind, the first step and, in the backward pass, the gradients' way home.",
        percent(rank.exposed_communication_s / p.makespan_s), time_text(step.hop_s), time_text(step.compute_s));
  }
  std::string text = fmt::format("The {} decides: in a {} step it takes {}, the computation {}.", hop_name(hop),
                                 name_of(step.pass), time_text(step.hop_s), time_text(step.compute_s));
  const double bytes = (step.hop_s - hop.latency_s) * hop.bandwidth_bytes_per_s;
  if (step.compute_s > hop.latency_s) {
    text += fmt::format(" It would hide at {} instead of {}", bandwidth_text(bytes / (step.compute_s - hop.latency_s)),
                        bandwidth_text(hop.bandwidth_bytes_per_s));
    if (step.minima->calibrated_tokens) {
      text += fmt::format(", or with at least {} tokens a rank instead of {}",
                          count(whole_tokens(*step.minima->calibrated_tokens)), count(p.tokens_per_rank));
    }
    text += '.';
  } else {
    text += " Its latency alone is longer than the computation: larger blocks, not more bandwidth, are needed.";
  }
  return text;
}

}  // namespace

BottleneckStatement bottleneck_of(const Prediction& p, const Scenario& s, const Machine& machine) {
  if (p.per_rank.empty()) {  // closed form: two parts are known
    const double share = p.exposed_communication_s / p.makespan_s;
    if (share > 0.5 && p.deciding_hop) {
      return {"transfer", hop_name(*p.deciding_hop), share, transfer_sentence(p, machine, RankSummary{})};
    }
    return {"compute", "attention kernels", 1.0 - share,
            fmt::format("Computation takes {} of the time.", percent(1.0 - share))};
  }
  const auto slowest = std::find_if(p.per_rank.begin(), p.per_rank.end(),
                                    [&](const RankSummary& r) { return r.rank == p.slowest_rank; });
  double mean_compute = 0;
  for (const RankSummary& r : p.per_rank) mean_compute += r.compute_s / static_cast<double>(p.per_rank.size());
  const double imbalance = std::max(0.0, slowest->compute_s - mean_compute) / p.makespan_s;
  const double transfer = (slowest->exposed_communication_s + slowest->bubble_late_s) / p.makespan_s;
  const double overhead = slowest->merge_s / p.makespan_s;
  const double attention = slowest->attention_s / p.makespan_s - imbalance;
  // A loss decides where it is larger than the useful part, or takes a quarter of the time: it is what can be mended.
  constexpr double noticeable = 0.25;
  const double loss = std::max({imbalance, transfer, overhead});
  const double largest = loss >= std::min(noticeable, attention) ? loss : attention;

  if (largest == imbalance) {
    BottleneckStatement b{"imbalance", fmt::format("rank {} computes longest", slowest->rank), imbalance, {}};
    if (s.workload.causal && s.ring.layout == Layout::contiguous) {
      b.name = "causal contiguous layout";
      b.sentence = fmt::format(
          "The causal mask leaves the ranks of a contiguous layout unequal work: rank {} computes for {}, the mean "
          "rank for {}. "
          "Zigzag would give every rank the same and could save up to {}.",
          slowest->rank, time_text(slowest->compute_s), time_text(mean_compute), percent(imbalance));
    } else {
      b.sentence = fmt::format("Rank {} computes for {}, the mean rank for {}: the others wait for it.", slowest->rank,
                               time_text(slowest->compute_s), time_text(mean_compute));
    }
    return b;
  }
  if (largest == transfer && p.deciding_hop) {
    return {"transfer", hop_name(*p.deciding_hop), transfer, transfer_sentence(p, machine, *slowest)};
  }
  if (largest == overhead) {
    return {"overhead", "merging partial results", overhead,
            fmt::format("Merging partial results takes {} of the time: larger blocks, or a kernel that merges in its "
                        "epilogue, would help.",
                        percent(overhead))};
  }
  std::string sentence =
      fmt::format("Attention kernels take {} of the time", percent(slowest->attention_s / p.makespan_s));
  if (p.deciding_hop && p.step_hop_s > 0) {
    const Step step = tighter_step(p);
    const double ratio = step.compute_s / step.hop_s;
    sentence +=
        ratio >= 1.0
            ? fmt::format("; a step computes {:.3g} times as long as its hop takes, so more bandwidth would gain {}",
                          ratio, transfer > 0.0005 ? fmt::format("at most {}", percent(transfer)) : "nothing")
            : fmt::format("; hops take {:.3g} times as long as a step's compute and expose {}", 1.0 / ratio,
                          percent(transfer));
  }
  sentence += ". Faster kernels or more ranks shorten it.";
  return {"compute", "attention kernels", slowest->attention_s / p.makespan_s, sentence};
}

std::vector<std::string> warnings_of(const Prediction& p, const Scenario& s, const Machine& machine) {
  std::vector<std::string> w = s.warnings;
  if (!s.profile.calibrated) {
    w.emplace_back(
        "profile datasheet is not calibrated: peak rates, no latency, launch or merge cost and no contest for SMs; "
        "real rings are slower");
  } else if (s.profile.gpu != s.cluster.gpu.name) {
    w.push_back(
        fmt::format("profile {} was made for {}, not for {}", s.profile.name, s.profile.gpu, s.cluster.gpu.name));
  }
  if (s.profile.calibrated) {
    std::string unknown;
    for (const HopCost& hop : machine.hops) {
      if (!hop.calibrated && unknown.find(hop.link_class) == std::string::npos)
        unknown += (unknown.empty() ? "" : ", ") + hop.link_class;
    }
    if (!unknown.empty()) {
      w.push_back(fmt::format("profile {} does not know the link class {}: nominal bandwidth and no latency are used",
                              s.profile.name, unknown));
    }
  }
  if (!p.memory.fits()) {
    w.push_back(fmt::format("does not fit: {:.1f} GB a rank on a GPU of {:.1f} GB", in_gigabytes(p.memory.total),
                            in_gigabytes(p.memory.capacity)));
  }
  if (p.idle_gpus > 0)
    w.push_back(fmt::format("{} of {} GPUs stay idle: the degrees use {}", p.idle_gpus, s.cluster.gpus(), p.ranks));
  const auto exposed = [&](const char* pass, const BlockMinima& minima) {
    const double needed = minima.calibrated_tokens.value_or(0);
    if (p.ring_size > 1 && needed > static_cast<double>(p.tokens_per_rank)) {
      w.push_back(fmt::format("{} tokens a rank are fewer than the {} that hide a {} hop", count(p.tokens_per_rank),
                              count(whole_tokens(needed)), pass));
    }
  };
  exposed("forward", p.b_min_forward);
  if (s.workload.phase == Phase::train) exposed("backward", p.b_min_backward);
  if (p.ring_size > 1 && s.workload.causal && s.ring.layout == Layout::contiguous) {
    const auto n = static_cast<double>(p.ring_size);
    w.push_back(fmt::format("a causal contiguous ring of {} reaches {} at best; zigzag or striped balance it",
                            p.ring_size, percent(n / (2 * n - 1))));
  }
  if (!s.model.latent && s.parallel.tensor > s.model.kv_heads) {
    w.push_back(fmt::format("tensor {} exceeds {} key/value heads: each is held by {} ranks", s.parallel.tensor,
                            s.model.kv_heads, s.parallel.tensor / s.model.kv_heads));
  }
  if (s.model.latent) {
    w.emplace_back(
        "MLA: the ring moves the expanded keys and values of all heads; the cache holds the latent, whole on every "
        "tensor rank");
  }
  const RepresentativeRing ring = representative_ring(s.parallel, s.cluster);
  const auto shared = std::max_element(ring.hops.begin(), ring.hops.end(),
                                       [](const RingHop& a, const RingHop& b) { return a.sharing < b.sharing; });
  if (shared != ring.hops.end() && shared->sharing > 1) {
    w.push_back(fmt::format("{} rings share each NIC of a node ({} NICs): its bandwidth is divided evenly",
                            shared->sharing, s.cluster.nics_per_node));
  }
  if (!ring.all_alike) w.emplace_back("the rings of this placement differ in their hops: the slowest one is shown");
  if (std::any_of(s.model.sliding_layer.begin(), s.model.sliding_layer.end(), [](bool b) { return b; }) &&
      p.ring_size > 1) {
    w.push_back(fmt::format(
        "sliding layers (window {}) rotate whole blocks although their mask needs only {} tokens before each block",
        *s.model.sliding_window, *s.model.sliding_window - 1));
  }
  if (s.model.maximum_positions && s.workload.tokens > *s.model.maximum_positions) {
    w.push_back(fmt::format("{} tokens exceed the {} positions that {} was trained for", count(s.workload.tokens),
                            count(*s.model.maximum_positions), s.model.name));
  }
  if (s.workload.phase == Phase::train) {
    w.emplace_back(
        "memory counts the attention part alone: gradients of weights, optimiser and the other layers' activations "
        "come on top");
    if (s.ring.buffers > 2)
      w.emplace_back(
          "a third buffer does not help the backward ring: its hops carry gradients that the step before completed");
  }
  return w;
}

}  // namespace ringsim::sim
