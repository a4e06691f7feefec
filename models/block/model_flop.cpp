#include "models/block/model_flop.hpp"

#include "models/block/layer.hpp"
#include "models/cost.hpp"
#include "models/dense_cost.hpp"
#include "models/error.hpp"
#include "models/mask.hpp"

#include <optional>
#include <vector>

namespace ringsim {
namespace {

// One rank that does everything to one token at a time.
BlockShape undivided(const Transformer& model) {
  BlockShape shape;
  shape.model = model;
  shape.rows = {1, 0};
  shape.divided_rows = shape.rows;
  return shape;
}

Flop products_of(const std::vector<BlockStep>& steps) {
  Flop total;
  for (const BlockStep& step : steps) {
    if (const auto* work = std::get_if<DenseWork>(&step)) total += flop_of(*work, 1, 1);
  }
  return total;
}

// (query, key) pairs of the whole job in all layers.
double pairs_of_job(const Scenario& s) {
  const Workload& w = s.workload;
  if (w.documents) {
    double pairs = 0;
    for (const DocumentLength& document : w.documents->lengths) {
      pairs += static_cast<double>(document.count) * attention_pairs(s.model, document.tokens, 0, w.causal);
    }
    return pairs;
  }
  const bool decode = w.phase == Phase::decode;
  const std::int64_t cached = decode ? w.tokens : w.phase == Phase::prefill ? w.cached : 0;
  return static_cast<double>(w.batch) * attention_pairs(s.model, decode ? 1 : w.tokens, cached, w.causal);
}

// What the forward pass of the job comes to, part by part.
struct Forward {
  Flop layers;     // their products
  Flop logits;     // of those tokens whose logits are computed
  Flop attention;  // of all layers
};

Forward forward_of(const Scenario& s) {
  const Workload& w = s.workload;
  const auto sequences = static_cast<double>(w.batch);
  const double tokens = sequences * (w.phase == Phase::decode ? 1.0 : static_cast<double>(w.tokens));
  const HeadShape heads = heads_of_rank(s.model, 1, 1);
  return {layers_flop_per_token(s.model) * tokens,
          logits_flop_per_token(s.model) * (w.phase == Phase::train ? tokens : sequences),
          attention_flop(heads, Pass::forward, pairs_of_job(s))};
}

}  // namespace

Flop layers_flop_per_token(const Transformer& model) {
  const BlockShape shape = undivided(model);
  std::optional<Flop> dense;
  std::optional<Flop> mixture;
  Flop total;
  for (std::int64_t layer = 0; layer < model.layers; ++layer) {
    std::optional<Flop>& kind = model.is_mixture(layer) ? mixture : dense;
    if (!kind) {
      const LayerSteps steps = layer_forward(shape, layer);
      kind = products_of(steps.before) + products_of(steps.after);
    }
    total += *kind;
  }
  return total;
}

Flop logits_flop_per_token(const Transformer& model) {
  if (!model.vocabulary)
    throw Error("the size of the vocabulary is not known", "model.vocabulary", "vocabulary: 128256");
  return flop(2.0 * static_cast<double>(model.hidden) * static_cast<double>(*model.vocabulary));
}

double attention_pairs(const Transformer& model, std::int64_t tokens, std::int64_t cached, bool causal) {
  std::int64_t sliding = 0;
  for (std::int64_t layer = 0; layer < model.layers; ++layer) sliding += model.is_sliding(layer) ? 1 : 0;
  const TokenRun queries{cached, tokens, 1};
  const TokenRun keys{0, cached + tokens, 1};
  const auto pairs = [&](std::int64_t layers, std::optional<std::int64_t> window) {
    return layers == 0
               ? 0.0
               : static_cast<double>(layers) * static_cast<double>(masked_area(queries, keys, {causal, window}));
  };
  return pairs(model.layers - sliding, std::nullopt) + pairs(sliding, model.sliding_window);
}

Flop model_flop(const Scenario& s) {
  const Forward forward = forward_of(s);
  const double passes = s.workload.phase == Phase::train ? 3.0 : 1.0;
  return passes * (forward.layers + forward.logits + forward.attention);
}

Flop executed_flop(const Scenario& s) {
  const Forward forward = forward_of(s);
  if (s.workload.phase != Phase::train) return forward.layers + forward.logits + forward.attention;
  const HeadShape heads = heads_of_rank(s.model, 1, 1);
  const Flop backward = attention_flop(heads, Pass::backward, pairs_of_job(s));
  Flop total = 3.0 * (forward.layers + forward.logits) + forward.attention + backward;
  if (s.training.recompute == Recompute::full) total += forward.layers + forward.attention;
  return total;
}

}  // namespace ringsim
