#pragma once
// K and V of a block of tokens, or their gradients, in one piece of device memory: a block travels as one message. A block of fewer tokens
// than the memory was made for fills the front of it without gaps, [K heads][tokens][Dqk], then [V heads][tokens][Dv].

#include "kernels/cuda/merge.hpp"
#include "kernels/cuda/resources.hpp"
#include "kernels/cuda/views.hpp"
#include "models/numeric.hpp"
#include "models/transformer.hpp"

#include <cstddef>
#include <cstdint>
#include <variant>

namespace ringsim::cuda {

/// K and V, or dK and dV: [heads][tokens][dimension] each.
template <class T>
struct KeyViews {
  View<T> k;
  View<T> v;
  [[nodiscard]] KeyViews part(std::int64_t first, std::int64_t count) const {
    return {k.part(first, count), v.part(first, count)};
  }
};

template <class T>
class KeyBlock {
 public:
  KeyBlock() = default;
  KeyBlock(const HeadShape& heads, std::int64_t tokens)
      : heads_(heads), memory_(static_cast<std::size_t>(elements_per_token() * tokens)) {}
  [[nodiscard]] KeyViews<T> view(std::int64_t tokens) const {
    const std::int64_t heads = heads_.batch * heads_.kv_heads;
    T* const v = memory_.data() + heads * tokens * heads_.query_key_dim;
    return {contiguous(memory_.data(), heads, tokens, heads_.query_key_dim),
            contiguous(v, heads, tokens, heads_.value_dim)};
  }
  [[nodiscard]] void* data() const { return memory_.data(); }
  [[nodiscard]] std::size_t bytes(std::int64_t tokens) const {
    return static_cast<std::size_t>(elements_per_token() * tokens) * sizeof(T);
  }
  void poison(cudaStream_t stream) { memory_.poison(stream); }

 private:
  [[nodiscard]] std::int64_t elements_per_token() const {
    return heads_.batch * heads_.kv_heads * (heads_.query_key_dim + heads_.value_dim);
  }
  HeadShape heads_;
  Memory<T> memory_;
};

/// A travelling gradient of K and V, in the number format that the scenario gives it.
class GradientBlock {
 public:
  GradientBlock(GradientDtype dtype, const HeadShape& heads, std::int64_t tokens) {
    if (dtype == GradientDtype::bf16) {
      block_.emplace<KeyBlock<Bf16>>(heads, tokens);
    } else {
      block_.emplace<KeyBlock<float>>(heads, tokens);
    }
  }
  [[nodiscard]] void* data() const {
    return std::visit([](const auto& block) { return block.data(); }, block_);
  }
  [[nodiscard]] std::size_t bytes(std::int64_t tokens) const {
    return std::visit([&](const auto& block) { return block.bytes(tokens); }, block_);
  }
  void poison(cudaStream_t stream) {
    std::visit([&](auto& block) { block.poison(stream); }, block_);
  }
  /// A block of `tokens` tokens: calls visit(KeyViews<Bf16>) or visit(KeyViews<float>).
  template <class Visit>
  void with_views(std::int64_t tokens, const Visit& visit) const {
    std::visit([&](const auto& block) { visit(block.view(tokens)); }, block_);
  }

 private:
  std::variant<KeyBlock<float>, KeyBlock<Bf16>> block_;
};

}  // namespace ringsim::cuda
