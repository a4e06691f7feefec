// The section that says what was predicted.

#include "reports/beyond_ring.hpp"
#include "reports/humanise.hpp"
#include "reports/run_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {
namespace {

std::string billions(double count) { return human_number(count / 1e9) + " B"; }

std::string parameters_text(const sim::Prediction& p) {
  if (!(p.parameters > 0.0)) return {};
  std::string text = fmt::format("; {} parameters", billions(p.parameters));
  if (p.active_parameters > 0.0 && p.active_parameters < p.parameters) {
    text += fmt::format(", {} of them active for a token", billions(p.active_parameters));
  }
  return text;
}

std::string model_text(const Transformer& model) {
  return fmt::format("{}{} layers, {} query and {} key/value heads of {} ({})",
                     model.name.empty() ? "" : model.name + ": ", human_count(model.layers), human_count(model.heads),
                     human_count(model.kv_heads), human_count(model.head_dim), model.attention_kind());
}

std::string workload_text(const Workload& workload) {
  std::string text =
      fmt::format("{}, {} mask, {}, batch {}", name_of(workload.phase), workload.causal ? "causal" : "no",
                  name_of(workload.dtype), human_count(workload.batch));
  if (workload.cached > 0)
    text += fmt::format("; {} tokens of each before it are cached", human_count(workload.cached));
  if (workload.chunk > 0) text += fmt::format("; in chunks of {} tokens", human_count(workload.chunk));
  if (workload.phase == Phase::decode) {
    text += fmt::format("; {} output token{} each", human_count(workload.output_tokens),
                        workload.output_tokens == 1 ? "" : "s");
  }
  return text;
}

// What the engine ran of a ring that is long enough for it to matter. Less is over before one could notice.
std::string executed_text(const sim::Prediction& p) {
  constexpr std::int64_t long_ring = 64;
  if (!p.economy || p.economy->ranks < long_ring) return {};
  const sim::RunEconomy& e = *p.economy;
  std::string text = e.folded_ranks < e.ranks ? fmt::format("folded: {} of {} ranks, which stand for all",
                                                            human_count(e.folded_ranks), human_count(e.ranks))
                                              : fmt::format("all {} ranks", human_count(e.ranks));
  if (e.jumped_rank_steps > 0) {
    text += fmt::format("; {} of their steps jumped over, since they repeat",
                        human_percent(e.jumped_rank_steps / e.rank_steps));
  } else if (!e.why_in_full.empty()) {
    text += fmt::format("; no step jumped over: {}", e.why_in_full);
  }
  return text;
}

std::string tokens_text(const sim::Prediction& p) {
  return fmt::format("{} in the {}; {} a rank{}", human_count(p.tokens_total),
                     p.phase == "decode" ? "cache of each sequence" : "whole sequence", human_count(p.tokens_per_rank),
                     p.even ? "" : " (some ranks hold one less)");
}

std::string cluster_text(const Cluster& cluster) {
  std::string text = fmt::format("{}{} of {} × {}", cluster.name.empty() ? "" : cluster.name + ": ",
                                 cluster.nodes == 1 ? "one node" : human_count(cluster.nodes) + " nodes",
                                 human_count(cluster.gpus_per_node), cluster.gpu.name);
  if (cluster.gpus_per_node > 1) {
    text +=
        fmt::format("; in a node {} {}", cluster.intra_node.link_class, human_bandwidth(cluster.intra_node.bandwidth));
  }
  if (cluster.inter_node && cluster.nodes > 1) {
    text += fmt::format("; between nodes {} × {} {} a node", human_count(cluster.nics_per_node),
                        cluster.inter_node->link_class, human_bandwidth(cluster.inter_node->bandwidth));
  }
  return text + " (one way)";
}

// What divides more over ranks that are there already.
std::string within_the_ranks(const Parallel& parallel) {
  std::string text;
  const auto add = [&text](std::string_view name, std::int64_t degree) {
    if (degree > 1) text += fmt::format("{} {} {}", text.empty() ? "; within them" : ",", name, human_count(degree));
  };
  add("expert", parallel.expert);
  add("decode-context", parallel.decode_context);
  if (parallel.sequence_parallel) text += "; sequence-parallel";
  if (parallel.replicate_kv) text += "; K/V heads replicated for Ulysses";
  return text;
}

std::string training_text(const sim::Prediction& p, const Training& t) {
  return fmt::format(
      "{} recomputation; micro-batches of {} ({} a step{}); ZeRO {}, {:g} B of gradient and {:g} B of optimiser state "
      "a parameter; {}",
      name_of(t.recompute), human_count(t.micro_batch), human_count(p.micro_batches),
      t.interleave > 1 ? fmt::format(", {} pieces a stage", human_count(t.interleave)) : "", t.zero, t.gradient_bytes,
      t.optimizer_bytes,
      t.overlap ? "gradients travel beside the computation" : "gradients travel after the computation");
}

std::string serving_text(const Workload& workload, const Parallel& parallel, const Serving& serving) {
  std::string text =
      "cache of " + (serving.kv_layout.empty() ? std::string(name_of(workload.dtype)) : serving.kv_layout);
  text += serving.page_tokens > 1 ? fmt::format(" in pages of {} tokens", human_count(serving.page_tokens)) : "";
  if (parallel.ring > 1 && workload.phase == Phase::decode) {
    text += fmt::format("; attention by {}", name_of(serving.decode));
  }
  return text;
}

// Empty for the plain ring.
std::string exchange_text(const RingOptions& ring, std::int64_t ranks) {
  switch (ring.exchange) {
    case Exchange::one_way:
      break;
    case Exchange::both_ways:
      return fmt::format("both-ways (half of the {} each way round)", name_of(ring.halves));
    case Exchange::two_level:
      return ring.inner > 0 ? fmt::format("two-level ({} inner rings of {})", human_count(ranks / ring.inner),
                                          human_count(ring.inner))
                            : std::string("two-level (an inner ring a node)");
    case Exchange::all_gather:
      return "all-gather";
  }
  return {};
}

std::string plan_text(const sim::Prediction& p, const Parallel& parallel) {
  std::string degrees;
  int above_one = 0;
  for (const Axis axis : parallel.order) {
    if (parallel.degree(axis) == 1) continue;
    ++above_one;
    degrees += fmt::format("{}{} {}", degrees.empty() ? "" : " × ", name_of(axis), human_count(parallel.degree(axis)));
  }
  if (degrees.empty()) degrees = "all degrees 1";
  return fmt::format("{}{}{}; {} GPU{} used, {} idle", degrees, above_one > 1 ? " (innermost first)" : "",
                     within_the_ranks(parallel), human_count(p.ranks), p.ranks == 1 ? "" : "s",
                     human_count(p.idle_gpus));
}

std::string travels_text(const std::string& rotation, bool backward) {
  if (rotation == "kv") return backward ? "K/V and dK/dV travel" : "K/V travel";
  return backward ? "Q, dO and dQ travel" : "Q travels";
}

std::string kind_text(const std::vector<ReachCount>& hops) {
  std::string text;
  for (const ReachCount& count : hops) {
    text += fmt::format("{}{} × {}", text.empty() ? "" : ", ", human_count(count.hops), describe(count.reach));
  }
  return text;
}

// Hops by how far they go, of every kind of ring.
void hop_fields(const sim::Prediction& p, Fields& fields) {
  if (p.ring_size <= 1) return;
  // Those that end last first.
  std::vector<sim::RingKind> kinds = p.ring_kinds;
  std::stable_sort(kinds.begin(), kinds.end(),
                   [](const sim::RingKind& a, const sim::RingKind& b) { return a.makespan_s > b.makespan_s; });
  constexpr std::size_t kinds_shown = 4;
  for (std::size_t i = 0; i < std::min(kinds_shown, kinds.size()); ++i) {
    const sim::RingKind& kind = kinds[i];
    std::string whose;
    if (kinds.size() == 1 && p.rings > 1) whose = fmt::format(" (each of {} rings)", human_count(p.rings));
    if (kinds.size() > 1) {
      whose = fmt::format(" ({} of {} rings{})", human_count(kind.rings), human_count(p.rings),
                          kind.makespan_s > 0 ? ", after " + human_time(kind.makespan_s) : "");
    }
    if (i + 1 == kinds_shown && kinds.size() > kinds_shown) {
      whose +=
          fmt::format("; and {} further kinds", human_count(static_cast<std::int64_t>(kinds.size() - kinds_shown)));
    }
    fields.emplace_back(i == 0 ? "hops" : "", kind_text(kind.hops) + whose);
  }
  constexpr std::size_t shown = 3;
  for (std::size_t i = 0; i < std::min(shown, p.shared_links.size()); ++i) {
    const sim::SharedLinkUse& link = p.shared_links[i];
    fields.emplace_back(
        i == 0 ? "shared links" : "",
        fmt::format(
            "{}: {} flows could use {}, it has {}{}", link.link, human_count(link.flows),
            human_bandwidth(bytes_per_second(link.demand_bytes_per_s)),
            human_bandwidth(bytes_per_second(link.bandwidth_bytes_per_s)),
            i + 1 == shown && p.shared_links.size() > shown
                ? fmt::format("; and {} more", human_count(static_cast<std::int64_t>(p.shared_links.size() - shown)))
                : ""));
  }
}

std::string jitter_text(const Jitter& jitter) {
  return jitter.distribution == Distribution::pareto
             ? fmt::format("pareto, {} on average, tail {}", human_percent(jitter.spread), human_number(jitter.tail))
             : fmt::format("{}, standard deviation {}", name_of(jitter.distribution), human_percent(jitter.spread));
}

void noise_fields(const sim::Prediction& p, const Noise& noise, Fields& fields) {
  for (std::size_t i = 0; i < noise.stragglers.size(); ++i) {
    const Straggler& straggler = noise.stragglers[i];
    std::string text = fmt::format("ring rank {} computes {} × as long", human_count(straggler.rank),
                                   human_number(straggler.slowdown));
    if (i < p.stragglers.size()) {
      const sim::StragglerCost& cost = p.stragglers[i];
      text += cost.makespan_s > 0
                  ? fmt::format(": costs {} ({} of the makespan); for it the other ranks wait {} each",
                                human_time(cost.makespan_s), human_percent(cost.makespan_s / p.makespan_s),
                                human_time(std::max(0.0, cost.others_wait_s)))
                  : ": costs nothing, since its slack absorbs it";
    }
    fields.emplace_back("straggler", text);
  }
  if (noise.compute.distribution != Distribution::none)
    fields.emplace_back("compute jitter", jitter_text(noise.compute));
  if (noise.links.distribution != Distribution::none) fields.emplace_back("link jitter", jitter_text(noise.links));
  for (const SlowLink& slow : noise.slow_links) {
    fields.emplace_back(
        "slow link", fmt::format("{} has {} of its bandwidth{}", slow.link, human_percent(slow.bandwidth),
                                 slow.from > Duration{} ? " from " + human_time(in_seconds(slow.from)) + " on" : ""));
  }
  for (const Failure& failure : noise.failures) {
    fields.emplace_back("failure",
                        fmt::format("{} at {}", failure.gpu ? "GPU " + human_count(*failure.gpu) : failure.link,
                                    human_time(in_seconds(failure.at))));
  }
  for (const BackgroundFlow& flow : noise.background) {
    fields.emplace_back("background",
                        fmt::format("GPU {} → GPU {}, {}", human_count(flow.from_gpu), human_count(flow.to_gpu),
                                    flow.rate ? "at most " + human_bandwidth(*flow.rate) : std::string("all it gets")));
  }
}

}  // namespace

std::string ring_text(const RingWords& r) {
  if (r.size <= 1) return "one rank: nothing travels";
  if (r.exchange == "all-gather") {
    return fmt::format("{} ranks, {}, all-gather: every rank gathers the K/V of all, then computes once",
                       human_count(r.size), r.layout);
  }
  const std::string exchange = r.exchange.empty() ? "" : r.exchange + ", ";
  const std::string backward =
      r.backward_travels.empty() ? "" : fmt::format(" (backward: {})", travels_text(r.backward_travels, true));
  return fmt::format("{} ranks, {}, {}{}{}, {} buffers, {}", human_count(r.size), r.layout, exchange,
                     travels_text(r.travels, false), backward, r.buffers, r.transfer);
}

Fields setup_fields(const sim::Prediction& p, const Scenario& scenario) {
  const bool training = runs_backward(scenario.workload.phase);
  Fields fields = {
      {"model", model_text(scenario.model) + (beyond_ring(p, scenario) ? parameters_text(p) : "")},
      {"workload", workload_text(scenario.workload)},
      {"tokens", tokens_text(p)},
      {"cluster", cluster_text(scenario.cluster)},
      {"plan", plan_text(p, scenario.parallel)},
      {"ring", ring_text({p.ring_size, p.layout, p.travels, training ? p.backward_travels : "", p.buffers, p.transfer,
                          exchange_text(scenario.ring, p.ring_size)})},
  };
  if (p.ring_size == 1 && scenario.parallel.ulysses > 1) {
    fields.back().second = "one rank: attention is divided by heads alone, over the Ulysses ranks";
  } else if (p.ring_size == 1 && p.scope == "model") {
    fields.back().second = "one rank: no sequence is divided";
  }
  if (p.scope == "model" && training) fields.emplace_back("training", training_text(p, scenario.training));
  if (p.scope == "model" && !training) {
    fields.emplace_back("serving", serving_text(scenario.workload, scenario.parallel, scenario.serving));
  }
  hop_fields(p, fields);
  noise_fields(p, scenario.noise, fields);
  fields.emplace_back("profile", p.profile_calibrated
                                     ? p.profile_name + " (calibrated)"
                                     : p.profile_name + " (UNCALIBRATED: data-sheet peaks, no overheads)");
  fields.emplace_back("scope", fmt::format("{}{}; phase {}", p.scope,
                                           p.scope == "attention" ? " (the ring of all layers' attention, nothing else)"
                                                                  : " (the whole network)",
                                           p.phase));
  fields.emplace_back("engine", p.engine_note.empty() ? p.engine : fmt::format("{} ({})", p.engine, p.engine_note));
  if (const std::string executed = executed_text(p); !executed.empty()) fields.emplace_back("executed", executed);
  return fields;
}

}  // namespace ringsim::reports
