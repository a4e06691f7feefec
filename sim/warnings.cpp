#include "sim/warnings.hpp"

#include "models/layout.hpp"
#include "models/placement.hpp"
#include "sim/extrapolation.hpp"
#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

using Texts = std::vector<std::string>;

std::int64_t sliding_layers(const Scenario& s) {
  return s.model.sliding_window ? std::count(s.model.sliding_layer.begin(), s.model.sliding_layer.end(), true) : 0;
}

void of_profile(const Scenario& s, const Machine& machine, Texts& w) {
  const Profile& profile = s.profile;
  if (!profile.calibrated) {
    w.emplace_back(
        "profile datasheet is not calibrated: peak rates, no latency, launch or merge cost and no contest for SMs; "
        "real rings are slower");
    return;
  }
  if (profile.gpu != s.cluster.gpu.name) {
    w.push_back(fmt::format("profile {} was made for {}, not for {}", profile.name, profile.gpu, s.cluster.gpu.name));
  }
  const FlopRate fastest = std::max(profile.forward.saturated.value, profile.backward.saturated.value);
  if (fastest > peak(s.cluster.gpu, s.workload.dtype)) {
    w.push_back(fmt::format(
        "profile {} computes at up to {} TFLOP/s, more than the peak of {} TFLOP/s of {}: its times are "
        "not this GPU's",
        profile.name, phrases::number(in_teraflop_per_second(fastest)),
        phrases::number(in_teraflop_per_second(peak(s.cluster.gpu, s.workload.dtype))), s.cluster.gpu.name));
  }
  if (profile.multiprocessors && s.cluster.gpu.multiprocessors &&
      *profile.multiprocessors != *s.cluster.gpu.multiprocessors) {
    w.push_back(fmt::format("profile {} is for {} SMs, {} has {}: the profile's count is used", profile.name,
                            *profile.multiprocessors, s.cluster.gpu.name, *s.cluster.gpu.multiprocessors));
  }
  std::string unknown;
  for (const HopCost& hop : machine.hops.kinds()) {
    if (!hop.calibrated && unknown.find(hop.link_class) == std::string::npos)
      unknown += (unknown.empty() ? "" : ", ") + hop.link_class;
  }
  if (!unknown.empty()) {
    w.push_back(fmt::format("profile {} does not know the link class {}: nominal bandwidth and no latency are used",
                            profile.name, unknown));
  }
}

void of_memory(const Prediction& p, const Scenario& s, Texts& w) {
  for (std::string& text : host_memory_warnings(s)) w.push_back(std::move(text));
  for (const std::string& missing : p.memory.missing) w.push_back("memory does not count " + missing);
  if (!p.memory.fits()) {
    w.push_back(fmt::format("does not fit: {:.1f} GB a rank on a GPU of {:.1f} GB", in_gigabytes(p.memory.total),
                            in_gigabytes(p.memory.capacity)));
  } else if (p.memory.total + p.memory.rest_of_network > p.memory.capacity) {
    w.push_back(fmt::format(
        "may not fit: beside what is counted, the residual stream and an MLP that is not chunked need about "
        "{:.1f} GB, and {:.1f} GB are left",
        in_gigabytes(p.memory.rest_of_network), in_gigabytes(p.memory.capacity - p.memory.total)));
  }
  if (runs_backward(s.workload.phase) && s.workload.scope == Scope::attention) {
    w.emplace_back(
        "memory counts the attention part alone: gradients of weights, optimiser and the other layers' activations "
        "come on top");
  }
}

void of_model(const Prediction& p, const Scenario& s, const Machine& machine, Texts& w) {
  if (s.workload.scope == Scope::model && s.profile.calibrated && !machine.dense.calibrated()) {
    w.push_back(
        fmt::format("profile {} has no rates of matrix products: those of the data sheet are used", s.profile.name));
  }
  if (s.workload.documents) {
    w.emplace_back(
        "times are those of whole sequences: masks that keep packed documents apart, and the work that they save, are "
        "counted in the imbalance of documents alone");
  }
  if (p.serving && p.serving->queues) {
    w.push_back(
        fmt::format("{} requests are asked for and {} fit at once: the others queue for the cache, and what is "
                    "predicted is the time of those that run",
                    phrases::count(p.serving->requests), phrases::count(p.serving->requests_that_fit)));
  }
}

void of_ring(const Prediction& p, const Scenario& s, Texts& w) {
  if (p.ring_size == 1) return;
  const auto exposed = [&](const char* pass, const BlockMinima& minima) {
    // The simulated minimum says more than the calibrated one, where there is one.
    const double needed = minima.simulated_tokens ? *minima.simulated_tokens : minima.calibrated_tokens.value_or(0);
    if (needed > static_cast<double>(p.tokens_per_rank)) {
      w.push_back(fmt::format("{} tokens a rank are fewer than the {} that hide a {} hop",
                              phrases::count(p.tokens_per_rank), phrases::whole_tokens(needed), pass));
    }
  };
  if (runs_forward(s.workload.phase)) exposed("forward", p.b_min_forward);
  if (runs_backward(s.workload.phase)) exposed("backward", p.b_min_backward);
  const std::int64_t sliding = sliding_layers(s);
  if (s.workload.causal && s.ring.layout == Layout::contiguous && sliding < p.layers) {
    const auto n = static_cast<double>(p.ring_size);
    w.push_back(fmt::format("a causal contiguous ring of {} reaches {} at best{}; zigzag or striped balance it",
                            p.ring_size, phrases::percent(n / (2 * n - 1)), sliding > 0 ? " in its full layers" : ""));
  }
  if (sliding > 0) {
    w.push_back(fmt::format(
        "{} of {} layers slide (window {}): they rotate whole blocks although their mask needs only {} tokens before "
        "each block",
        sliding, p.layers, phrases::count(*s.model.sliding_window), phrases::count(*s.model.sliding_window - 1)));
  }
  if (s.model.latent) {
    w.emplace_back(
        "MLA: the ring moves the expanded keys and values of all heads; the cache holds the latent, whole on every "
        "tensor rank");
  }
  if (runs_backward(s.workload.phase) && s.ring.buffers > 2) {
    w.emplace_back(
        "a third buffer does not help the backward ring: its hops carry gradients that the step before completed");
  }
}

void of_placement(const Prediction& p, const Scenario& s, const JobNetwork& network, Texts& w) {
  if (p.idle_gpus > 0) {
    w.push_back(fmt::format("{} of {} GPUs stay idle: the degrees use {}", phrases::count(p.idle_gpus),
                            phrases::count(s.cluster.gpus()), phrases::count(p.ranks)));
  }
  if (!s.model.latent && s.parallel.tensor > s.model.kv_heads) {
    w.push_back(fmt::format("tensor {} exceeds {} key/value heads: each is held by {} ranks", s.parallel.tensor,
                            s.model.kv_heads, s.parallel.tensor / s.model.kv_heads));
  }
  if (const auto better = better_order(s.parallel, s.cluster)) {
    w.push_back(fmt::format("{} of {} hops of the rings leave their node; with parallel.order {} {} would",
                            phrases::count(hops_between_nodes(s.parallel, s.cluster, Axis::ring)),
                            phrases::count(p.rings * p.ring_size), format_order(better->order),
                            better->hops_between_nodes == 0 ? "none" : phrases::count(better->hops_between_nodes)));
  }
  if (!network.all_alike()) {
    w.push_back(fmt::format("the {} rings of this placement differ in their hops: the slowest one is shown",
                            phrases::count(p.rings)));
  }
}

}  // namespace

std::vector<std::string> warnings_of(const Prediction& p, const Scenario& s, const Machine& machine,
                                     const JobNetwork& network) {
  Texts w = s.warnings;
  of_profile(s, machine, w);
  for (std::string& text :
       extrapolations(ring_spec(s), runs_backward(s.workload.phase), machine, runs_forward(s.workload.phase))) {
    w.push_back(std::move(text));
  }
  of_memory(p, s, w);
  of_placement(p, s, network, w);
  of_ring(p, s, w);
  of_model(p, s, machine, w);
  if (s.model.maximum_positions && s.workload.tokens > *s.model.maximum_positions) {
    w.push_back(fmt::format("{} tokens exceed the {} positions that {} was trained for",
                            phrases::count(s.workload.tokens), phrases::count(*s.model.maximum_positions),
                            s.model.name));
  }
  return w;
}

std::string block_minimum_note(const Scenario& s) {
  const std::int64_t sliding = sliding_layers(s);
  if (sliding == 0 || s.parallel.ring == 1) return {};
  return fmt::format(
      "for full attention; in {} a window of {} tokens lets computation grow only as fast as the hop, so a larger "
      "block "
      "does not hide it",
      sliding == s.model.layers ? std::string("all layers") : fmt::format("{} of {} layers", sliding, s.model.layers),
      phrases::count(*s.model.sliding_window));
}

}  // namespace ringsim::sim
