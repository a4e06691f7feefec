#include "models/block/mlp.hpp"
#include "models/block/mlp_parts.hpp"

#include <numeric>
#include <string>
#include <utility>

namespace ringsim {
namespace {

// Router, and the copies of a token for its experts.
TwoWay route(const BlockShape& shape) {
  const FeedForward& f = *shape.model.feed_forward;
  const auto hidden = static_cast<double>(shape.model.hidden);
  const auto experts = static_cast<double>(f.experts);
  Gemm scores = product(shape, "router", shape.rows, experts, hidden);
  if (scores.dtype == Dtype::fp8) scores.dtype = Dtype::bf16;
  scores.matrix_bytes = shape.element;
  const Elementwise choice{"choice of experts", shape.rows, bytes(4 * experts), {}};
  const Elementwise copies =
      pass(shape, "a copy for every expert", shape.rows, (1 + static_cast<double>(f.experts_per_token)) * hidden);
  DenseWork backward{"router, backward", {}};
  Elementwise sum = copies;
  sum.name = "sum over the copies";
  backward.parts.emplace_back(sum);
  backward.parts.emplace_back(choice);
  for (auto& part : backward_of(shape, scores)) backward.parts.push_back(std::move(part));
  return {.forward = DenseWork{"router", {scores, choice, copies}}, .backward = std::move(backward)};
}

// The experts' outputs, weighted and added up.
TwoWay gather(const BlockShape& shape) {
  const FeedForward& f = *shape.model.feed_forward;
  const double elements = (1 + static_cast<double>(f.experts_per_token)) * static_cast<double>(shape.model.hidden);
  return {.forward = DenseWork{"sum over experts", {pass(shape, "sum over experts", shape.rows, elements)}},
          .backward = DenseWork{"sum over experts, backward",
                                {pass(shape, "gradients of the experts' outputs", shape.rows, elements)}}};
}

// `share` of the copies goes to the experts, `back` of the results returns; a gradient takes the way of what it is of.
struct Exchanged {
  double there = 0;
  double back = 0;
};

TwoWay all_to_all(const BlockShape& shape, const std::string& what, double share) {
  const FeedForward& f = *shape.model.feed_forward;
  const double per_row = share * shape.parallel.load_imbalance * static_cast<double>(f.experts_per_token) *
                         static_cast<double>(shape.model.hidden) * shape.element;
  const auto step = [&](const std::string& of) {
    return traffic(shape, "all-to-all of " + of, CollectiveKind::all_to_all, Group::expert, shape.rows, per_row);
  };
  return {.forward = step(what), .backward = step("gradients of " + what)};
}

}  // namespace

std::vector<TwoWay> mixture(const BlockShape& shape) {
  const FeedForward& f = *shape.model.feed_forward;
  const Parallel& p = shape.parallel;
  const auto ranks = static_cast<double>(p.expert);
  const auto tensor = static_cast<double>(p.tensor);
  // Ranks of the group that hold the same tokens.
  const double alike = shape.decode ? static_cast<double>(std::gcd(p.expert, p.ring * p.ulysses)) : 1.0;
  const Exchanged share{alike < ranks ? 1.0 / alike : 0.0, 1.0};

  MlpSize routed;
  routed.name = "experts";
  routed.rows = times(shape.rows, static_cast<double>(f.experts_per_token) / alike);
  routed.units = static_cast<double>(f.expert_intermediate) / tensor;
  routed.count = static_cast<double>(f.experts) / ranks;
  routed.visits = static_cast<double>(f.experts_per_token) / ranks;
  routed.imbalance = p.expert > 1 ? p.load_imbalance : 1.0;

  std::vector<TwoWay> parts{route(shape)};
  if (p.expert > 1 && share.there > 0) parts.push_back(all_to_all(shape, "tokens to experts", share.there));
  parts.push_back(mlp_of(shape, routed));
  if (p.expert > 1) parts.push_back(all_to_all(shape, "experts' results", share.back));
  parts.push_back(gather(shape));
  if (f.shared_experts > 0) {
    MlpSize shared;
    shared.name = "shared experts";
    shared.rows = shape.rows;
    shared.units = static_cast<double>(f.shared_experts * f.expert_intermediate) / tensor;
    TwoWay part = mlp_of(shape, shared);
    const auto hidden = static_cast<double>(shape.model.hidden);
    std::get<DenseWork>(*part.forward)
        .parts.emplace_back(pass(shape, "sum with the shared experts", shape.rows, 3 * hidden));
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace ringsim
