#include "models/block/attention_projections.hpp"

#include <utility>

namespace ringsim {
namespace {

// Products, norms and rotation that lead to Q, K and V, forward in order and backward in reverse.
class Chain {
 public:
  explicit Chain(const BlockShape& shape, const std::string& name)
      : shape_(shape), forward_{name, {}}, backward_{name + ", backward", {}} {}

  void add(const Gemm& gemm) {
    forward_.parts.emplace_back(gemm);
    const auto back = backward_of(shape_, gemm);
    backward_.parts.insert(backward_.parts.begin(), back.begin(), back.end());
  }
  void add_norm(const std::string& name, double width) {
    forward_.parts.emplace_back(norm(shape_, name, shape_.rows, width));
    backward_.parts.insert(backward_.parts.begin(), norm_backward(shape_, name, shape_.rows, width));
    again_.parts.emplace_back(norm(shape_, name, shape_.rows, width));
  }
  void add_rotation(double elements) {
    forward_.parts.emplace_back(pass(shape_, "rotary embedding", shape_.rows, 2 * elements));
    backward_.parts.insert(backward_.parts.begin(),
                           pass(shape_, "rotary embedding, backward", shape_.rows, 2 * elements));
  }
  [[nodiscard]] TwoWay done() && {
    again_.name = forward_.name + ", again";
    return {.forward = std::move(forward_), .backward = std::move(backward_), .again = std::move(again_)};
  }

 private:
  const BlockShape& shape_;
  DenseWork forward_, backward_, again_;
};

TwoWay plain_input(const BlockShape& shape) {
  const HeadShape heads = heads_of_rank(shape.model, shape.parallel.tensor, 1);
  const auto dim = static_cast<double>(shape.model.head_dim);
  const auto q = static_cast<double>(heads.query_heads);
  const auto kv = static_cast<double>(heads.kv_heads);
  Chain chain(shape, "attention input");
  chain.add(product(shape, "query, key and value projections", shape.rows, dim * (q + 2 * kv),
                    static_cast<double>(shape.model.hidden)));
  if (shape.model.qk_norm) chain.add_norm("norms of queries and keys", dim * (q + kv));
  chain.add_rotation(dim * (q + kv));
  return std::move(chain).done();
}

TwoWay latent_input(const BlockShape& shape) {
  const LatentAttention& a = *shape.model.latent;
  const auto hidden = static_cast<double>(shape.model.hidden);
  const auto heads = static_cast<double>(heads_of_rank(shape.model, shape.parallel.tensor, 1).query_heads);
  const auto rank = static_cast<double>(a.kv_lora_rank);
  const auto rope = static_cast<double>(a.qk_rope_head_dim);
  const auto nope = static_cast<double>(a.qk_nope_head_dim);
  const auto value = static_cast<double>(a.v_head_dim);
  Chain chain(shape, "attention input");
  if (a.q_lora_rank) {
    const auto q_rank = static_cast<double>(*a.q_lora_rank);
    chain.add(product(shape, "query down-projection", shape.rows, q_rank, hidden));
    chain.add_norm("norm of latent queries", q_rank);
    chain.add(product(shape, "query up-projection", shape.rows, heads * (nope + rope), q_rank));
  } else {
    chain.add(product(shape, "query projection", shape.rows, heads * (nope + rope), hidden));
  }
  chain.add(product(shape, "key and value down-projection", shape.rows, rank + rope, hidden));
  chain.add_norm("norm of latent keys and values", rank);
  Rows expanded = shape.rows;
  expanded.per_sequence += shape.cached_per_sequence;
  chain.add(product(shape, "key and value up-projection", expanded, heads * (nope + value), rank));
  chain.add_rotation((heads + 1) * rope);
  return std::move(chain).done();
}

}  // namespace

std::vector<TwoWay> attention_input(const BlockShape& shape) {
  return {shape.model.latent ? latent_input(shape) : plain_input(shape)};
}

std::vector<TwoWay> attention_output(const BlockShape& shape) {
  const HeadShape heads = heads_of_rank(shape.model, shape.parallel.tensor, 1);
  return {products(shape, "attention output",
                   {product(shape, "output projection", shape.rows, static_cast<double>(shape.model.hidden),
                            static_cast<double>(heads.query_heads * heads.value_dim))})};
}

}  // namespace ringsim
