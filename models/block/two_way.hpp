#pragma once
// A part of a layer with its backward pass. Backward runs the parts in reverse order.
//
//   product      dX = dY · Wᵀ and dW = Xᵀ · dY: twice the FLOP; dW is added to gradients in memory (read and written)
//   norm         forward reads x and writes y: 2 elements a row and unit; backward reads dy and x and writes dx: 3
//   residual     forward and backward read two and write one: 3
//   collectives  their own transposes: all-gather and reduce-scatter, all-to-all and itself, all-reduce and nothing
//
// What selective recomputation runs again is named a part: norms and the MLP's activation function, whose outputs are large
// and cost no product. (Megatron's "layernorm" and "moe_act"; core attention needs none, flash attention saves no scores.)

#include "models/block/block_shape.hpp"

#include <optional>
#include <variant>
#include <vector>

namespace ringsim {

/// Work of a rank alone, or a collective of it with others, which comes between such work.
using BlockStep = std::variant<DenseWork, CollectiveTraffic>;

struct TwoWay {
  std::optional<BlockStep> forward{};
  std::optional<BlockStep> backward{};
  DenseWork again{};  // what selective recomputation runs a second time; without parts: nothing
};

/// dX and dW of a product.
[[nodiscard]] std::vector<std::variant<Gemm, Elementwise>> backward_of(const BlockShape& shape, const Gemm& forward);

/// Dense work of products whose backward pass is dX and dW of each, last first.
[[nodiscard]] TwoWay products(const BlockShape& shape, std::string name, const std::vector<Gemm>& forward);

/// A norm of rows of `width` elements.
[[nodiscard]] Elementwise norm(const BlockShape& shape, const std::string& name, const Rows& rows, double width);
[[nodiscard]] Elementwise norm_backward(const BlockShape& shape, const std::string& name, const Rows& rows,
                                        double width);

/// What tensor parallelism needs where activations enter products divided by columns, and where they leave those divided by
/// depth: nothing for one rank.
[[nodiscard]] std::vector<TwoWay> enter_tensor_parallel(const BlockShape& shape, const std::string& what);
[[nodiscard]] std::vector<TwoWay> leave_tensor_parallel(const BlockShape& shape, const std::string& what);

}  // namespace ringsim
