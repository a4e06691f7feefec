#pragma once
// One transformer layer as operations: dense work and collectives of models/block/layer.hpp around the attention of a scheme.
//
//   forward     before attention | attention | output projection, MLP or mixture of experts
//   backward    what recomputation runs again | backward of the second part | attention backward | of the first part
//
// Collectives of tensor and expert parallelism are on the compute stream: they block it. Under full recomputation the forward
// attention runs again with all its exchanges. Not modelled: exchanges of experts beside the computation of another
// micro-batch.

#include "models/block/ends.hpp"
#include "models/block/layer.hpp"
#include "models/scenario.hpp"
#include "models/stages.hpp"
#include "sim/schedules/pipeline_order.hpp"
#include "sim/schedules/ring.hpp"

#include <array>
#include <vector>

namespace ringsim::sim {

/// Steps of one rank as operations of the compute stream; their amounts are added to the program.
[[nodiscard]] std::vector<Operation> as_operations(Program& program, const std::vector<BlockStep>& steps, Pass pass);

/// What a pipeline stage sends to the next for a token of a ring rank's block: the residual stream, of which tensor ranks hold
/// a part each under sequence parallelism.
[[nodiscard]] Bytes activations_of(const BlockShape& shape);

/// Operations of attention, of one layer.
struct AttentionOperations {
  std::vector<Operation> forward;
  std::vector<Operation> backward;  // empty where nothing is trained
};

/// Operations of one layer, for the body of a loop over layers, by what stands behind attention: an MLP or a mixture.
class LayerOperations {
 public:
  LayerOperations(Program& program, const BlockShape& shape, const AttentionOperations& attention,
                  const Training* training);

  [[nodiscard]] const std::vector<Operation>& forward(std::int64_t layer) const { return forward_[kind(layer)]; }
  [[nodiscard]] const std::vector<Operation>& backward(std::int64_t layer) const { return backward_[kind(layer)]; }
  /// The layers of a range as runs of layers that have the same operations.
  [[nodiscard]] std::vector<LayerRun> alike(const LayerRun& range) const;

 private:
  [[nodiscard]] std::size_t kind(std::int64_t layer) const { return model_.is_mixture(layer) ? 1 : 0; }

  Transformer model_;
  std::array<std::vector<Operation>, 2> forward_;
  std::array<std::vector<Operation>, 2> backward_;
};

/// The layers of every piece of a pipeline's stages, in the order in which a token meets them (models/stages.hpp).
[[nodiscard]] std::vector<LayerRun> layers_of_pieces(std::int64_t layers, const Pipeline& pipeline);

/// Forward through a range of layers, in loops.
[[nodiscard]] std::vector<Operation> forward_layers(const LayerOperations& layers, const LayerRun& range);

}  // namespace ringsim::sim
