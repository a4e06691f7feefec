#pragma once
// In which order the stages of a pipeline work on the micro-batches of a step.
//
//   p stages, m micro-batches, v pieces of the model a stage (virtual stages). Piece c = 0 ... p·v - 1 is on stage c mod p.
//
// 1F1B (Narayanan et al., arXiv 2104.04473 §2.2): stage s begins with min(p - 1 - s, m) forwards, then does one forward and one
// backward in turn, then the backwards that are left: never more than min(p - s, m) forwards whose backward is still to
// come. With equal stages the bubble is (p - 1)/m of the ideal time, (p - 1)/(m + p - 1) of the step.
// Interleaved (the same, §2.2): a stage takes p micro-batches through its first piece, then through its second, ...; stage s
// begins with min(2(p - 1 - s) + (v - 1)p, m·v) forwards. The bubble is 1/v of the above. It needs m to be a multiple of p.
// Not modelled: orders that split a backward into its two halves (zero bubble).

#include "models/cost.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::sim {

/// One micro-batch through one piece of the model, one way.
struct PipelineTask {
  std::int64_t piece = 0;
  std::int64_t micro_batch = 0;
  Pass pass = Pass::forward;
  friend bool operator==(const PipelineTask&, const PipelineTask&) = default;
};

struct Pipeline {
  std::int64_t stages = 1;
  std::int64_t micro_batches = 1;
  std::int64_t interleave = 1;  // pieces a stage
  [[nodiscard]] std::int64_t pieces() const { return stages * interleave; }
  [[nodiscard]] std::int64_t stage_of(std::int64_t piece) const { return piece % stages; }
};

/// What one stage does, in its own order: forward and backward of every micro-batch through each of its pieces. Throws Error
/// where the interleaved order does not exist.
[[nodiscard]] std::vector<PipelineTask> order_of_stage(const Pipeline& pipeline, std::int64_t stage);
/// The same without backwards, for inference: every micro-batch in turn.
[[nodiscard]] std::vector<PipelineTask> forward_order_of_stage(const Pipeline& pipeline, std::int64_t stage);

/// The tasks of all stages as one list that keeps every stage's own order and in which a task stands below all that it needs:
/// the forward of the piece before; for a backward its own forward and the backward of the piece behind.
[[nodiscard]] std::vector<PipelineTask> in_dependency_order(const Pipeline& pipeline,
                                                            const std::vector<std::vector<PipelineTask>>& stages);

/// Both in one: a training step, or an inference pass.
[[nodiscard]] std::vector<PipelineTask> training_order(const Pipeline& pipeline);
[[nodiscard]] std::vector<PipelineTask> inference_order(const Pipeline& pipeline);

}  // namespace ringsim::sim
