#include "sim/schedules/inference.hpp"

namespace ringsim::sim {

void append_inference(Program& program, const Scenario& scenario, const BlockShape& shape, const Pipeline& pipeline,
                      const LayerOperations& layers, bool with_logits) {
  const std::vector<LayerRun> pieces = layers_of_pieces(scenario.model.layers, pipeline);
  const std::vector<Operation> embedding = as_operations(program, embedding_forward(shape), Pass::forward);
  std::vector<Operation> logits;
  if (with_logits) logits = as_operations(program, last_logits(shape), Pass::forward);
  const PipelineStreams streams = add_pipeline_streams(program, pipeline, false);
  const Roles roles(program, pipeline.stages);
  append_pipeline(program, roles, streams, pipeline, inference_order(pipeline), activations_of(shape),
                  [&](const PipelineTask& task) {
                    std::vector<Operation> operations;
                    if (task.piece == 0) append(operations, embedding);
                    append(operations, forward_layers(layers, pieces[static_cast<std::size_t>(task.piece)]));
                    if (task.piece == pipeline.pieces() - 1) append(operations, logits);
                    return operations;
                  });
}

}  // namespace ringsim::sim
