#pragma once
// What of a layer's work falls to one rank. Rows are tokens:
//
//   prefill, train   a rank's products have tokens/U rows of the ring rank's block (U Ulysses ranks share it); under sequence
//                    parallelism tensor ranks divide norms and residuals as well: tokens/(U·t)
//   decode           one row a sequence, on every ring and Ulysses rank alike: they divide the cache, not the new token
//
// Tensor parallelism divides columns or depth. Matrix products are in the workload's format, everything else in bf16 where
// that is fp8. Where a checkpoint stores its weights in fewer bytes, serving reads so many; training has the workload's format.

#include "models/collective.hpp"
#include "models/dense_work.hpp"
#include "models/scenario.hpp"

#include <string>

namespace ringsim {

struct BlockShape {
  Transformer model;
  Parallel parallel;
  double sequences = 1;         // that the rank works on together: its batch, or a micro-batch
  bool decode = false;          // one token a sequence
  Rows rows;                    // of a rank's matrix products
  Rows divided_rows;            // of its norms and residuals
  Dtype product = Dtype::bf16;  // of matrix products
  double element = 2;           // bytes of everything else
  double weight = 2;            // bytes of a weight as a product reads it
  double gradient = 4;          // bytes of a weight's gradient
  /// Tokens of each sequence whose latent vectors a rank expands to K and V beside those of its block: the part of a cached
  /// prefix that it holds. Of latent attention alone.
  double cached_per_sequence = 0;

  /// Whether norms and residuals are divided by tokens.
  [[nodiscard]] bool divides_tokens() const { return parallel.sequence_parallel && parallel.tensor > 1; }
};

/// The shape of a pass of a scenario over `sequences` sequences. A cached prefix is that of workload.cached; whoever runs
/// chunks sets `cached_per_sequence` for each of them.
[[nodiscard]] BlockShape block_shape(const Scenario& scenario, double sequences);

/// Rows times a factor: `k` visits of every token.
[[nodiscard]] Rows times(const Rows& rows, double factor);

/// Traffic of `per_row` bytes of every row of `rows`, over all sequences of the shape.
[[nodiscard]] CollectiveTraffic traffic(const BlockShape& shape, std::string name, CollectiveKind kind, Group group,
                                        const Rows& rows, double per_row);

/// A product of `rows` rows whose matrix is `count` times depth × columns weights.
[[nodiscard]] Gemm product(const BlockShape& shape, std::string name, const Rows& rows, double columns, double depth,
                           double count = 1);
/// A pass that moves so many elements a row.
[[nodiscard]] Elementwise pass(const BlockShape& shape, std::string name, const Rows& rows, double elements);

}  // namespace ringsim
