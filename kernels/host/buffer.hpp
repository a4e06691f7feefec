#pragma once
// Memory of a block of tokens: one allocation for the largest block. A block of fewer tokens fills the front of it
// without gaps, [tensor][head][token][dimension] in the order of BlockShape, so that it travels as one message of just
// its own tokens. Swapping two buffers swaps their memory.

#include "kernels/host/views.hpp"
#include "models/transformer.hpp"

#include <cstdlib>
#include <memory>
#include <span>

namespace ringsim::host {

/// Heads of a tensor, over all sequences of the batch, and its dimension.
struct TensorShape {
  Eigen::Index heads = 0;
  Eigen::Index dim = 0;
};

/// What a block holds.
struct BlockShape {
  TensorShape q, k, v, o, d_out, lse, delta;
  [[nodiscard]] Eigen::Index elements_per_token() const;
};
[[nodiscard]] BlockShape key_block(const HeadShape& heads);    // k, v: a block of keys, or the gradient of one
[[nodiscard]] BlockShape query_block(const HeadShape& heads);  // q, d_out, lse, delta: all that a backward pass needs
[[nodiscard]] BlockShape query_gradient_block(const HeadShape& heads);  // q
[[nodiscard]] BlockShape output_block(const HeadShape& heads);          // o, lse

template <class T>
class Buffer {
 public:
  Buffer() = default;
  /// Memory for `rows` tokens, touched, every element NaN: what never arrives shows.
  Buffer(const BlockShape& shape, Eigen::Index rows);

  /// Views of a block of `rows` tokens, at most those that the buffer was made for.
  [[nodiscard]] BlockView<T> view(Eigen::Index rows);
  [[nodiscard]] BlockView<const T> view(Eigen::Index rows) const;
  /// All elements of such a block.
  [[nodiscard]] std::span<T> elements(Eigen::Index rows);
  [[nodiscard]] std::span<const T> elements(Eigen::Index rows) const;
  /// Elements that the memory holds.
  [[nodiscard]] Eigen::Index capacity() const { return capacity_; }
  void fill_nan();

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };
  BlockShape shape_;
  Eigen::Index capacity_ = 0;
  std::unique_ptr<T, Free> memory_;
};

/// Copies what both hold; tensors have the same shapes. Token i of `to` is token `rows[i]` of `from`.
template <class T>
void gather_rows(const Block<T>& from, const Positions& rows, BlockView<T> to);
/// The reverse for one tensor: token i of `from` becomes token `rows[i]` of `to`, which has `tokens` tokens in all.
template <class T>
void scatter_rows(HeadsView<const T> from, const Positions& rows, std::int64_t tokens, Heads<T>& to);

}  // namespace ringsim::host
