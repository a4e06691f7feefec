// One optimiser step of the whole model, as one data-parallel rank's ring executes it.
//
//   micro-batches   m = sequences of the data-parallel rank / training.micro_batch
//   pipeline        1F1B or interleaved (pipeline_order.hpp), a role a stage; the first layers' piece begins with the embedding,
//                   the last piece ends with all logits and the loss
//   layers          model_layer.hpp: forward; backward with what recomputation runs again in front of it
//   data parallel   data_parallel.hpp, then the optimiser, stage by stage
//
// Not modelled: the next step's input, the reduction of the gradients' norm across stages, and checkpoints.

#include "models/error.hpp"
#include "sim/schedules/attention_layer.hpp"
#include "sim/schedules/data_parallel.hpp"
#include "sim/schedules/model_program.hpp"
#include "sim/schedules/pipeline_program.hpp"

#include <fmt/format.h>

namespace ringsim::sim {
namespace {

/// The scenario with one micro-batch as its rank's sequences.
Scenario of_micro_batch(const Scenario& scenario) {
  const std::int64_t sequences = batch_of_rank(scenario);
  if (sequences % scenario.training.micro_batch != 0) {
    throw Error(fmt::format("{} sequences of a data-parallel rank cannot be cut into micro-batches of {}", sequences,
                            scenario.training.micro_batch),
                "training.micro_batch", fmt::format("a divisor of {}", sequences));
  }
  Scenario one = scenario;
  one.workload.batch = scenario.training.micro_batch * scenario.parallel.data;
  return one;
}

}  // namespace

Program training_program(const Scenario& scenario) {
  const Scenario one = of_micro_batch(scenario);
  const RingSpec spec = ring_spec(one);
  const BlockShape shape = block_shape(one, static_cast<double>(scenario.training.micro_batch));
  const Pipeline pipeline{scenario.parallel.pipeline, batch_of_rank(scenario) / scenario.training.micro_batch,
                          scenario.parallel.pipeline > 1 ? scenario.training.interleave : 1};
  const std::vector<LayerRun> pieces = layers_of_pieces(scenario.model.layers, pipeline);
  const std::int64_t last = pipeline.pieces() - 1;

  Program program = empty_ring_program(spec);
  const AttentionOperations attention{attention_layer(program, spec, Pass::forward),
                                      attention_layer(program, spec, Pass::backward)};
  const LayerOperations layers(program, shape, attention, &scenario.training);
  const std::vector<Operation> embedding = as_operations(program, embedding_forward(shape), Pass::forward);
  const std::vector<Operation> embedding_back = as_operations(program, embedding_backward(shape), Pass::backward);
  const std::vector<Operation> loss = as_operations(program, loss_forward(shape), Pass::forward);
  const std::vector<Operation> loss_back = as_operations(program, loss_backward(shape), Pass::backward);
  const RankParameters embedding_held = embedding_of_rank(shape);
  const RankParameters head_held = head_of_rank(shape, pipeline.stages > 1);
  const PipelineStreams streams = add_pipeline_streams(program, pipeline, true);
  const DataParallel data(program, scenario, shape);
  const Roles roles(program, pipeline.stages);

  const auto forward = [&](const PipelineTask& task) {
    std::vector<Operation> operations;
    const bool gathers = data.gathers(Pass::forward, task.micro_batch);
    if (task.piece == 0) {
      if (gathers) append(operations, data.gather(program, embedding_held, Pass::forward));
      append(operations, embedding);
    }
    append(operations,
           data.forward_layers(program, layers, pieces[static_cast<std::size_t>(task.piece)], task.micro_batch));
    if (task.piece == last) {
      if (gathers) append(operations, data.gather(program, head_held, Pass::forward));
      append(operations, loss);
    }
    return operations;
  };
  const auto backward = [&](const PipelineTask& task) {
    std::vector<Operation> operations;
    const bool reduces = data.reduces(task.micro_batch);
    if (task.piece == last) {
      if (data.gathers(Pass::backward, task.micro_batch))
        append(operations, data.gather(program, head_held, Pass::backward));
      append(operations, loss_back);
      if (reduces) append(operations, data.reduce(program, head_held));
    }
    append(operations,
           data.backward_layers(program, layers, pieces[static_cast<std::size_t>(task.piece)], task.micro_batch));
    if (task.piece == 0) {
      append(operations, embedding_back);
      if (reduces) append(operations, data.reduce(program, embedding_held));
    }
    return operations;
  };
  append_pipeline(
      program, roles, streams, pipeline, training_order(pipeline), activations_of(shape),
      [&](const PipelineTask& task) { return task.pass == Pass::forward ? forward(task) : backward(task); });

  for (std::int64_t stage = 0; stage < pipeline.stages; ++stage) {
    std::vector<LayerRun> own;
    for (std::int64_t c = stage; c <= last; c += pipeline.stages) own.push_back(pieces[static_cast<std::size_t>(c)]);
    std::vector<RankParameters> ends;
    if (stage == 0) ends.push_back(embedding_held);
    if (stage == pipeline.stages - 1) ends.push_back(head_held);
    append(program.body, roles.of(stage, data.finish(program, own, ends)));
  }
  return program;
}

}  // namespace ringsim::sim
