#pragma once
// What ranks that hold the same parameters exchange in a training step (ZeRO: Rajbhandari et al., arXiv 1910.02054 §5, §7).
// Ψ: parameters of a rank; g, w: bytes of a gradient and of a parameter; n ranks.
//
//   ZeRO 0   all-reduce of the gradients                                          2·g·Ψ·(n - 1)/n sent by a rank
//        1   reduce-scatter of the gradients, all-gather of what the optimiser updated    (g + w)·Ψ·(n - 1)/n
//        2   the same; gradients are divided, so every micro-batch reduces its own        (m·g + w)·Ψ·(n - 1)/n
//        3   all-gather of a layer's parameters before its forward and before its backward pass, in every micro-batch, and
//            reduce-scatter of its gradients                                              m·(g + 2w)·Ψ·(n - 1)/n
//
// Gradients are reduced in buckets: those of layers that follow each other, closed as soon as training.bucket is full (0: each
// layer's); a layer that fills several is cut into as many, all of which begin when its backward pass ends. Embedding and
// head have buckets of their own.
// With training.overlap gradients and parameters have a stream each, beside the computation: a bucket is reduced while the layers
// before it are computed; under ZeRO 1 and 2 a step begins with the gathers of what the step before updated, layer by layer
// in front of the first micro-batch; under ZeRO 3 a layer's gather begins when the layer before it begins. Without, everything
// is on the compute stream: gathers of ZeRO 3 before their layer, reductions of ZeRO 2 and 3 after it, all else at the
// end of the step.
//
// The group is Group::gradient: Ulysses, ring and data-parallel ranks. Routed experts are held alike by n_e = n / expert
// of them: where these are not a group of their own their traffic is put on Group::gradient with a size that gives the same
// bytes a rank, s · ((n_e - 1)/n_e) / ((n - 1)/n). An approximation of latency and of the links that are taken, not of
// the bytes. Parameters travel in the workload's format. Not modelled: that the two streams share links with each other and with
// attention, the reduction of the gradients' norm, and that of a shared embedding between the first and the last stage.

#include "models/block/optimizer.hpp"
#include "models/scenario.hpp"
#include "sim/schedules/model_layer.hpp"

#include <optional>
#include <vector>

namespace ringsim::sim {

class DataParallel {
 public:
  /// Adds the streams and events that it needs to a program of one role.
  DataParallel(Program& program, const Scenario& scenario, const BlockShape& shape);

  /// Whether parameters must be gathered ahead of a pass, and gradients reduced behind a backward pass.
  [[nodiscard]] bool gathers(Pass pass, std::int64_t micro_batch) const;
  [[nodiscard]] bool reduces(std::int64_t micro_batch) const;

  /// Operations of role 0 on the parameters of a layer, or others.
  [[nodiscard]] std::vector<Operation> gather(Program& program, const RankParameters& held, Pass pass) const;
  [[nodiscard]] std::vector<Operation> reduce(Program& program, const RankParameters& held) const;

  /// The backward pass of a range of layers, last first, with what is gathered and reduced around it.
  [[nodiscard]] std::vector<Operation> backward_layers(Program& program, const LayerOperations& layers,
                                                       const LayerRun& range, std::int64_t micro_batch) const;
  [[nodiscard]] std::vector<Operation> forward_layers(Program& program, const LayerOperations& layers,
                                                      const LayerRun& range, std::int64_t micro_batch) const;

  /// What is left at the end of a step of a stage that holds these layers, and `ends` beside them: reductions and gathers that
  /// nothing hides, the wait for those beside the computation, and the optimiser.
  [[nodiscard]] std::vector<Operation> finish(Program& program, const std::vector<LayerRun>& ranges,
                                              const std::vector<RankParameters>& ends) const;

 private:
  struct Bucket {
    LayerRun layers;
    RankParameters held;     // of all of them
    std::int64_t parts = 1;  // collectives
  };
  [[nodiscard]] std::vector<Bucket> buckets(const LayerRun& range) const;
  [[nodiscard]] std::vector<std::size_t> traffic(Program& program, CollectiveKind kind, const char* name,
                                                 const RankParameters& held, double bytes_each,
                                                 std::int64_t parts) const;
  static void add_collectives(std::vector<Operation>& to, StreamId stream, Pass pass,
                              const std::vector<std::size_t>& traffic, std::int64_t parts);
  [[nodiscard]] std::vector<Operation> reduce(Program& program, const RankParameters& held, std::int64_t parts) const;
  [[nodiscard]] CollectiveKind reduction() const {
    return training_.zero == 0 ? CollectiveKind::all_reduce : CollectiveKind::reduce_scatter;
  }

  BlockShape shape_;
  Training training_;
  std::int64_t micro_batches_ = 1;
  double ranks_ = 1;         // that hold the same parameters
  double expert_ranks_ = 1;  // that hold the same experts
  bool expert_group_is_data_ = false;
  StreamId parameters_ = 0;  // streams
  StreamId gradients_ = 0;
  std::size_t begun_ = 0;  // events: a layer has begun, its parameters are here, gradients exist, gradients are reduced
  std::size_t here_ = 0;
  std::size_t exist_ = 0;
  std::size_t reduced_ = 0;
};

}  // namespace ringsim::sim
