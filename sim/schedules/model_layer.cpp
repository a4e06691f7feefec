#include "sim/schedules/model_layer.hpp"

#include "sim/schedules/roles.hpp"

#include <variant>

namespace ringsim::sim {
namespace {

using ring_program::compute;

/// Steps around attention, whose operations may be none.
std::vector<Operation> around(Program& program, const LayerSteps& steps, const std::vector<Operation>& attention,
                              Pass pass) {
  std::vector<Operation> operations = as_operations(program, steps.before, pass);
  append(operations, attention);
  append(operations, as_operations(program, steps.after, pass));
  return operations;
}

}  // namespace

std::vector<Operation> as_operations(Program& program, const std::vector<BlockStep>& steps, Pass pass) {
  std::vector<Operation> operations;
  for (const BlockStep& step : steps) {
    if (const auto* work = std::get_if<DenseWork>(&step)) {
      if (work->parts.empty()) continue;
      operations.push_back({Dense{compute, pass, {program.dense.size()}}});
      program.dense.push_back(*work);
    } else {
      operations.push_back({Collective{compute, pass, {program.traffic.size()}}});
      program.traffic.push_back(std::get<CollectiveTraffic>(step));
    }
  }
  return operations;
}

Bytes activations_of(const BlockShape& shape) {
  const double rows = shape.sequences * shape.divided_rows.of(1, 1);
  return bytes(rows * static_cast<double>(shape.model.hidden) * shape.element);
}

LayerOperations::LayerOperations(Program& program, const BlockShape& shape, const AttentionOperations& attention,
                                 const Training* training)
    : model_(shape.model) {
  std::array<bool, 2> known{};
  for (std::int64_t layer = 0; layer < model_.layers; ++layer) {
    const std::size_t k = kind(layer);
    if (known[k]) continue;
    known[k] = true;
    forward_[k] = around(program, layer_forward(shape, layer), attention.forward, Pass::forward);
    if (training == nullptr) continue;
    const Recomputation again = layer_recomputation(shape, layer, training->recompute);
    backward_[k] =
        around(program, again.steps, again.attention ? attention.forward : std::vector<Operation>{}, Pass::forward);
    append(backward_[k], around(program, layer_backward(shape, layer), attention.backward, Pass::backward));
  }
}

std::vector<LayerRun> LayerOperations::alike(const LayerRun& range) const {
  std::vector<LayerRun> runs;
  for (std::int64_t layer = range.first; layer < range.first + range.count; ++layer) {
    if (!runs.empty() && kind(runs.back().first) == kind(layer)) {
      ++runs.back().count;
    } else {
      runs.push_back({layer, 1});
    }
  }
  return runs;
}

std::vector<LayerRun> layers_of_pieces(std::int64_t layers, const Pipeline& pipeline) {
  std::vector<LayerRun> pieces;
  for (std::int64_t own = 0; own < pipeline.interleave; ++own) {
    for (std::int64_t stage = 0; stage < pipeline.stages; ++stage) {
      pieces.push_back(
          layers_of_stage(layers, pipeline.stages, pipeline.interleave, stage)[static_cast<std::size_t>(own)]);
    }
  }
  return pieces;
}

std::vector<Operation> forward_layers(const LayerOperations& layers, const LayerRun& range) {
  std::vector<Operation> operations;
  for (const LayerRun& run : layers.alike(range)) {
    operations.push_back({Repeat{Loop::layer, run.first, run.count, false, layers.forward(run.first)}});
  }
  return operations;
}

}  // namespace ringsim::sim
