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
// of it). Under scope model parts are divided as models/block/optimizer.hpp says; under scope attention weights are divided as a
// whole, except for what several ranks hold, and there is no optimiser.

#include "models/block/optimizer.hpp"
#include "models/memory/rank.hpp"
#include "models/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace ringsim::memory {
namespace {

// Parameters a rank keeps of those that `shared` ranks hold alike, and experts `expert` times fewer.
double kept(const RankParameters& held, double shared, double expert) {
  return held.shared / shared + held.experts / std::max(1.0, shared / expert);
}

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

// Under scope attention: all of a model without a pipeline, divided as a whole.
RankParameters held_of_attention(const Rank& r, double count) {
  const Transformer& m = r.scenario.model;
  const Parallel& p = r.scenario.parallel;
  const auto tensor = static_cast<double>(p.tensor);
  double experts = 0;
  for (std::int64_t layer = 0; layer < m.layers; ++layer) experts += layer_parameters(m, layer).experts;
  return {(count - experts) / tensor + static_cast<double>(m.layers) * replicated_parameters(m, p.tensor),
          experts / tensor / static_cast<double>(p.expert)};
}

struct Held {
  RankParameters all;
  RankParameters widest_layer;
};

Held held_of_stage(const Rank& r) {
  const BlockShape shape = block_shape(r.scenario, r.sequences);
  std::array<std::optional<RankParameters>, 2> kinds;  // dense layers, mixtures
  Held held;
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) {
      std::optional<RankParameters>& of = kinds[shape.model.is_mixture(layer) ? 1 : 0];
      if (!of) of = layer_of_rank(shape, layer);
      held.all += *of;
      if (of->total() > held.widest_layer.total()) held.widest_layer = *of;
    }
  }
  if (r.first_stage()) held.all += embedding_of_rank(shape);
  if (r.last_stage()) held.all += head_of_rank(shape, !r.first_stage());
  return held;
}

// Parameters of MLPs and experts on a rank of a stage, which may be stored in a format of their own.
double mlp_parameters(const Rank& r) {
  const Parallel& p = r.scenario.parallel;
  double sum = 0;
  for (const LayerRun& piece : r.pieces) {
    for (std::int64_t layer = piece.first; layer < piece.first + piece.count; ++layer) {
      const ParameterCount of = layer_parameters(r.scenario.model, layer);
      sum += of.mlp + of.shared_experts + of.experts / static_cast<double>(p.expert);
    }
  }
  return sum / static_cast<double>(p.tensor);
}

std::string divided_by(const Scenario& s, double sharers) {
  std::string text = divisors(s, {Axis::tensor, Axis::pipeline});
  if (s.parallel.expert > 1) text += fmt::format(" (experts x expert {})", s.parallel.expert);
  if (sharers > 1) text = fmt::format("{}{:g} ranks by ZeRO", text == "nothing" ? "" : text + " x ", sharers);
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
  const double ranks = ringsim::sharers(s.parallel);
  const auto expert = static_cast<double>(s.parallel.expert);
  const auto sharers = [&](std::int64_t from) { return trained && t.zero >= from ? ranks : 1.0; };
  const Held held = r.whole_model ? held_of_stage(r) : Held{held_of_attention(r, *count), {}};
  const double each = trained ? std::max(2.0, r.element) : s.model.weight_bytes_per_parameter.value_or(r.element);
  const auto& of_mlps = s.model.feed_forward->dtype;
  const double shorter = of_mlps && !trained ? mlp_parameters(r) * (each - bytes_per_element(*of_mlps)) : 0.0;
  const bool copies = replicated_parameters(s.model, s.parallel.tensor) > 0;
  terms.add("weights",
            fmt::format("{:.4g} B parameters / (tensor {} x pipeline {}){}", *count / 1e9, s.parallel.tensor,
                        s.parallel.pipeline, copies ? ", and projections that every rank holds" : ""),
            divided_by(s, sharers(3)), bytes(kept(held.all, sharers(3), expert) * each - shorter));
  if (!trained) return;
  const double layer = held.widest_layer.total();
  terms.add("weight_gradients", fmt::format("{:g} bytes a parameter", t.gradient_bytes), divided_by(s, sharers(2)),
            bytes(kept(held.all, sharers(2), expert) * t.gradient_bytes));
  terms.add("optimizer", fmt::format("{:g} bytes a parameter", t.optimizer_bytes), divided_by(s, sharers(1)),
            bytes(kept(held.all, sharers(1), expert) * t.optimizer_bytes));
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
