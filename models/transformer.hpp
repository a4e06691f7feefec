#pragma once
// The shape of a transformer: heads and their dimensions, what a token costs in the K/V cache, which layers see a sliding
// window, and how many parameters there are (by part: models/parameters.hpp).

#include "models/numeric.hpp"
#include "models/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim {

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434, §2.1): the cache holds one latent vector and one shared
/// rotary key a token, whatever the number of heads. All in elements.
struct LatentAttention {
  std::int64_t kv_lora_rank = 0;
  std::int64_t qk_rope_head_dim = 0;
  std::int64_t qk_nope_head_dim = 0;
  std::int64_t v_head_dim = 0;
  std::optional<std::int64_t> q_lora_rank;  // absent: the query projection is a single matrix
};

/// The feed-forward part; absent in a model of which only the attention is known.
struct FeedForward {
  std::int64_t intermediate = 0;  // hidden units of a dense layer's MLP
  bool gated = true;              // gate, up and down matrices (SwiGLU, GeGLU); false: up and down
  // Mixture of experts; experts == 0 means every layer is dense.
  std::int64_t experts = 0;
  std::int64_t experts_per_token = 0;
  std::int64_t shared_experts = 0;
  std::int64_t expert_intermediate = 0;  // hidden units of one expert
  std::vector<bool> expert_layer;        // per layer: true where the layer's MLP is a mixture; size layers or empty
  bool bias = false;                     // every matrix of an MLP or expert has one (gpt-oss)
  bool router_bias = false;              // a number an expert, added to the router's scores (DeepSeek-V3, gpt-oss)
  /// Of its products and stored weights, as quantised checkpoints have it; absent: as in the rest of the network.
  std::optional<Dtype> dtype{};
};

/// A decoder-only transformer.
struct Transformer {
  std::string name;
  std::int64_t layers = 0;
  std::int64_t hidden = 0;    // width of the residual stream, elements
  std::int64_t heads = 0;     // query heads
  std::int64_t kv_heads = 0;  // key/value heads; = heads: MHA, 1: MQA, between: GQA
  std::int64_t head_dim = 0;  // elements; for MLA the query/key dimension (nope + rope)
  std::optional<LatentAttention> latent;
  std::optional<std::int64_t> sliding_window;  // tokens a query of a sliding layer sees, itself included
  std::vector<bool> sliding_layer;             // per layer: true where the window applies; empty: no layer
  std::optional<FeedForward> feed_forward;
  std::optional<std::int64_t> vocabulary;
  bool tied_embeddings = false;
  bool attention_bias = false;                    // Q/K/V projections carry a bias (Qwen2)
  bool output_bias = false;                       // the output projection carries one (gpt-oss)
  bool qk_norm = false;                           // a norm over each head of Q and of K (Qwen3, Gemma 3)
  bool attention_sinks = false;                   // a learnt logit a query head that no key stands behind (gpt-oss)
  bool post_norms = false;                        // norms behind attention and MLP, too: four a layer (Gemma 2 and 3)
  std::optional<std::int64_t> maximum_positions;  // trained context length, tokens
  std::optional<double>
      weight_bytes_per_parameter;  // from the checkpoint (bf16 2, fp8 1); absent: the workload's dtype

  /// "MHA", "GQA", "MQA" or "MLA".
  [[nodiscard]] std::string attention_kind() const;
  /// Query/key and value dimensions of a head [elements]; equal but for MLA.
  [[nodiscard]] std::int64_t query_key_dim() const { return head_dim; }
  [[nodiscard]] std::int64_t value_dim() const { return latent ? latent->v_head_dim : head_dim; }
  [[nodiscard]] bool is_sliding(std::int64_t layer) const;
  /// Whether a layer's feed-forward part is a mixture of experts.
  [[nodiscard]] bool is_mixture(std::int64_t layer) const;
  /// Elements that one token leaves in one layer's K/V cache of one tensor-parallel rank: G·(Dqk + Dv) with G heads,
  /// or the latent and the rotary key for MLA, whole on every tensor rank.
  [[nodiscard]] std::int64_t cache_elements_per_token(std::int64_t tensor) const;
};

/// Throws Error where a shape is impossible (no heads, kv_heads that do not divide heads, ...), saying what would be legal.
void check(const Transformer& model);

/// K/V bytes a token over all layers, unsharded, at `element_bytes` an element (Llama-2-7B, bf16: 524,288 B), as long as no
/// window is full.
[[nodiscard]] Bytes cache_per_token(const Transformer& model, double element_bytes);

/// K/V bytes of a sequence of `tokens` over all layers, unsharded: a sliding layer keeps its window at most.
[[nodiscard]] Bytes cache_of_sequence(const Transformer& model, double tokens, double element_bytes);

/// Parameters of the whole network, embeddings included; empty where feed-forward part or vocabulary are not known. By part:
/// models/parameters.hpp.
[[nodiscard]] std::optional<double> parameters(const Transformer& model);

/// Heads of one tensor-parallel rank: heads/tensor query heads, and kv_heads/tensor key/value heads, never below one.
struct HeadShape {
  std::int64_t batch = 1;  // sequences on this rank
  std::int64_t query_heads = 0;
  std::int64_t kv_heads = 0;
  std::int64_t query_key_dim = 0;
  std::int64_t value_dim = 0;
};

/// The heads that a rank computes with, and that travel. For MLA the expanded heads travel (K and V after the
/// up-projection, as Megatron-LM and Transformer Engine do under context parallelism), not the latent.
[[nodiscard]] HeadShape heads_of_rank(const Transformer& model, std::int64_t tensor, std::int64_t batch);

}  // namespace ringsim
