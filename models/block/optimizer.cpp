#include "models/block/optimizer.hpp"

#include "models/block/attention_projections.hpp"
#include "models/parameters.hpp"

#include <vector>

namespace ringsim {
namespace {

// Weights of the products of a part of a layer.
double matrices_of(const std::vector<TwoWay>& parts) {
  double weights = 0;
  for (const TwoWay& part : parts) {
    for (const auto& one : std::get<DenseWork>(*part.forward).parts) {
      if (const auto* gemm = std::get_if<Gemm>(&one)) weights += gemm->count * gemm->columns * gemm->depth;
    }
  }
  return weights;
}

double attention_matrices(const BlockShape& shape) {
  return matrices_of(attention_input(shape)) + matrices_of(attention_output(shape));
}

}  // namespace

RankParameters layer_of_rank(const BlockShape& shape, std::int64_t layer) {
  const ParameterCount all = layer_parameters(shape.model, layer);
  const auto tensor = static_cast<double>(shape.parallel.tensor);
  BlockShape whole = shape;
  whole.parallel.tensor = 1;
  const double vectors = all.attention - attention_matrices(whole);  // biases, norms, sinks: charged in full
  return {attention_matrices(shape) + vectors + (all.mlp + all.shared_experts) / tensor + all.router + all.norms,
          all.experts / (tensor * static_cast<double>(shape.parallel.expert))};
}

RankParameters embedding_of_rank(const BlockShape& shape) {
  const auto words = static_cast<double>(shape.model.vocabulary.value_or(0));
  return {words * static_cast<double>(shape.model.hidden) / static_cast<double>(shape.parallel.tensor), 0};
}

RankParameters head_of_rank(const BlockShape& shape, bool holds_copy) {
  RankParameters held{static_cast<double>(shape.model.hidden), 0};  // the last norm
  if (!shape.model.tied_embeddings || holds_copy) held += embedding_of_rank(shape);
  return held;
}

double sharers(const Parallel& parallel) { return static_cast<double>(size_of(Group::gradient, parallel)); }

double expert_sharers(const Parallel& parallel) { return sharers(parallel) / static_cast<double>(parallel.expert); }

DenseWork optimizer_step(const BlockShape& shape, const Training& training, const RankParameters& held) {
  const bool divided = training.zero >= 1;
  const double updated =
      divided ? held.shared / sharers(shape.parallel) + held.experts / expert_sharers(shape.parallel) : held.total();
  const double moved = 2 * training.optimizer_bytes + training.gradient_bytes + shape.element;
  return {"optimiser step", {Elementwise{"optimiser step", {}, {}, bytes(updated * moved)}}};
}

}  // namespace ringsim
