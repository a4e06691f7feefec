#pragma once
// What kernels on a GPU read and write: tensors in device memory that somebody else keeps.
//
// A block of tokens lies as on the host, [head][token][dimension]: heads of all sequences one after the other, query head i of
// H reads key/value head i / (H/G). Some of the tokens of a block are the same memory from another beginning, with the
// block's distance between heads.

#include "kernels/cuda/bf16.hpp"

#include <cstdint>
#include <type_traits>

namespace ringsim::cuda {

/// Element (h, t, d) at data[h·head_stride + t·dim + d]; strides in elements.
template <class T>
struct View {
  T* data = nullptr;
  std::int64_t heads = 0;
  std::int64_t rows = 0;  // tokens
  std::int64_t dim = 0;
  std::int64_t head_stride = 0;  // at least rows · dim

  /// Tokens [first, first + count) of all heads.
  [[nodiscard]] View part(std::int64_t first, std::int64_t count) const {
    return {data + first * dim, heads, count, dim, head_stride};
  }
  [[nodiscard]] std::int64_t elements() const { return heads * rows * dim; }
  template <class U>
    requires(std::is_same_v<U, T> && !std::is_const_v<T>)
  operator View<const U>() const {  // NOLINT(google-explicit-constructor)
    return {data, heads, rows, dim, head_stride};
  }
};

/// Without gaps.
template <class T>
[[nodiscard]] View<T> contiguous(T* data, std::int64_t heads, std::int64_t rows, std::int64_t dim) {
  return {data, heads, rows, dim, rows * dim};
}

}  // namespace ringsim::cuda
