// Weights, their gradients and the optimiser's state, of the layers that a stage holds; embedding on the first stage, final norm
// and head on the last one (tied ones on both, if they are two).
//
//   weights            w bytes a parameter / (tensor; experts / expert as well)          / z from ZeRO 3 on
//   weight_gradients   gradient_bytes a parameter                                        / z from ZeRO 2 on
//   optimizer          optimizer_bytes a parameter                                       / z from ZeRO 1 on
//   gathered_weights   ZeRO 3: a layer at work, and the next one on its way
//   gradient_bucket    from ZeRO 2 on: gradients that are complete but not yet reduced
//
// z: ranks that hold the same parameters, ulysses · ring · data, of experts fewer by the expert degree (Rajbhandari et al., arXiv
// 1910.02054 §5). w: the checkpoint's where nothing is trained, else the workload's format, bf16 for fp8 (whose copies are made
// of it). Under scope model norms and routers are whole on tensor ranks; under scope attention weights are divided as a whole,
// except for what several ranks hold, and there is no optimiser.

#include "models/memory/rank.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::memory {
namespace {

// Of one rank, before ZeRO divides them.
struct Held {
  double shared = 0;
  double experts = 0;  // routed ones
  [[nodiscard]] double over(double sharers, double expert_degree) const {
    return shared / sharers + experts / std::max(1.0, sharers / expert_degree);
  }
  Held& operator+=(const Held& other) {
    shared += other.shared;
    experts += other.experts;
    return *this;
  }
};

// Parameters of a layer that tensor parallelism does not divide: key and value projections of heads that several ranks hold,
// and the down-projections of latent attention. Beyond their part by 1/t.
double replicated_parameters(const Transformer& m, std::int64_t tensor) {
  const auto hidden = static_cast<double>(m.hidden);
  const auto t = static_cast<double>(tensor);
  if (m.latent) {
    const LatentAttention& a = *m.latent;
    const auto down = static_cast<double>(a.kv_lora_rank + a.qk_rope_head_dim + a.q_lora_rank.value_or(0));
    return hidden * down * (1.0 - 1.0 / t);
  }
  const auto heads = static_cast<double>(m.kv_heads);
  return hidden * 2.0 * static_cast<double>(m.head_dim) * (std::max(1.0, heads / t) - heads / t);
}

double routed_experts(const Transformer& m, std::int64_t layer) {
  if (!is_mixture(m, layer)) return 0;
  const FeedForward& f = *m.feed_forward;
  return (f.gated ? 3.0 : 2.0) * static_cast<double>(m.hidden * f.expert_intermediate) * static_cast<double>(f.experts);
}

double embedding(const Transformer& m) { return static_cast<double>(*m.vocabulary) * static_cast<double>(m.hidden); }

// All of one layer: what is left of a model with that layer alone when its ends are taken off.
double of_layer(const Transformer& m, std::int64_t layer) {
  Transformer one = m;
  const auto at = static_cast<std::size_t>(layer);
  one.layers = 1;
  if (!m.sliding_layer.empty()) one.sliding_layer = {m.sliding_layer[at]};
  if (!m.feed_forward->expert_layer.empty()) one.feed_forward->expert_layer = {m.feed_forward->expert_layer[at]};
  return *parameters(one) - embedding(m) * (m.tied_embeddings ? 1.0 : 2.0) - static_cast<double>(m.hidden);
}

Held held_of_layer(const Rank& r, std::int64_t layer) {
  const Transformer& m = r.scenario.model;
  const auto t = static_cast<double>(r.scenario.parallel.tensor);
  const auto hidden = static_cast<double>(m.hidden);
  const double routed = routed_experts(m, layer);
  const double whole =
      r.whole_model ? 2 * hidden + (routed > 0 ? hidden * static_cast<double>(m.feed_forward->experts) : 0.0) : 0.0;
  return {whole + (of_layer(m, layer) - routed - whole) / t + replicated_parameters(m, r.scenario.parallel.tensor),
          routed / t / static_cast<double>(r.scenario.parallel.expert)};
}

Held held_of_stage(const Rank& r) {
  const Transformer& m = r.scenario.model;
  const auto t = static_cast<double>(r.scenario.parallel.tensor);
  Held held;
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) held += held_of_layer(r, layer);
  }
  if (r.first_stage()) held.shared += embedding(m) / t;
  if (r.last_stage()) {
    held.shared += static_cast<double>(m.hidden) / (r.whole_model ? 1.0 : t);
    if (!m.tied_embeddings || !r.first_stage()) held.shared += embedding(m) / t;
  }
  return held;
}

std::string divided_by(const Scenario& s, double sharers) {
  std::string text = divisors(s, {Axis::tensor, Axis::pipeline});
  if (s.parallel.expert > 1) text += fmt::format(" (experts x expert {})", s.parallel.expert);
  if (sharers > 1) text += fmt::format(" x ZeRO {:g}", sharers);
  return text;
}

}  // namespace

void add_weights(const Rank& r, Terms& terms) {
  const Scenario& s = r.scenario;
  const auto count = parameters(s.model);
  if (!count) {
    terms.missing("weights: the model gives no feed_forward or no vocabulary");
    return;
  }
  const bool trained = r.training && r.whole_model;
  const Training& t = s.training;
  const auto ranks = static_cast<double>(s.parallel.ulysses * s.parallel.ring * s.parallel.data);
  const auto expert = static_cast<double>(s.parallel.expert);
  const auto sharers = [&](std::int64_t from) { return trained && t.zero >= from ? ranks : 1.0; };
  const Held held = held_of_stage(r);
  const double each = trained ? std::max(2.0, r.element) : s.model.weight_bytes_per_parameter.value_or(r.element);
  const bool copies = replicated_parameters(s.model, s.parallel.tensor) > 0;
  terms.add("weights",
            fmt::format("{:.4g} B parameters / (tensor {} x pipeline {}){}", *count / 1e9, s.parallel.tensor,
                        s.parallel.pipeline, copies ? ", and projections that every rank holds" : ""),
            divided_by(s, sharers(3)), bytes(held.over(sharers(3), expert) * each));
  if (!trained) return;
  Held widest;
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) {
      const Held of = held_of_layer(r, layer);
      if (of.shared + of.experts > widest.shared + widest.experts) widest = of;
    }
  }
  const double layer = widest.shared + widest.experts;
  terms.add("weight_gradients", fmt::format("{:g} bytes a parameter", t.gradient_bytes), divided_by(s, sharers(2)),
            bytes(held.over(sharers(2), expert) * t.gradient_bytes));
  terms.add("optimizer", fmt::format("{:g} bytes a parameter", t.optimizer_bytes), divided_by(s, sharers(1)),
            bytes(held.over(sharers(1), expert) * t.optimizer_bytes));
  if (t.zero >= 3 && ranks > 1) {
    terms.add("gathered_weights", "of the layer at work, and of the next one", divided_by(s, 1),
              bytes(2.0 * layer * each));
  }
  if (t.zero >= 2 && ranks > 1) {
    const Bytes bucket = t.bucket > Bytes{} ? t.bucket : bytes(layer * t.gradient_bytes);
    terms.add("gradient_bucket", "gradients that wait to be reduced", divided_by(s, 1), bucket);
  }
}

}  // namespace ringsim::memory
