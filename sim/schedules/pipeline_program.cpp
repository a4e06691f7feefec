#include "sim/schedules/pipeline_program.hpp"

#include <fmt/format.h>

namespace ringsim::sim {

PipelineStreams add_pipeline_streams(Program& program, const Pipeline& pipeline, bool backward) {
  PipelineStreams added;
  if (pipeline.stages == 1) return added;
  const auto add_stream = [&](const char* name) {
    program.streams.emplace_back(name);
    if (!program.computes.empty()) program.computes.push_back(false);
    return program.streams.size() - 1;
  };
  added.send_forward = add_stream("send activations");
  if (backward) added.send_backward = add_stream("send gradients");
  added.done = program.events.size();
  program.events.emplace_back("piece computed");
  return added;
}

void append_pipeline(Program& program, const Roles& roles, const PipelineStreams& streams, const Pipeline& pipeline,
                     const std::vector<PipelineTask>& order, Bytes activations,
                     const std::function<std::vector<Operation>(const PipelineTask&)>& operations_of) {
  // What comes into every piece from the one before it, and from the one behind it: an event a micro-batch.
  const std::size_t families = program.events.size();
  const std::int64_t pieces = pipeline.pieces();
  for (std::int64_t c = 0; c < pieces && pipeline.stages > 1; ++c) {
    program.events.push_back(fmt::format("activations for piece {}", c));
    program.events.push_back(fmt::format("gradients for piece {}", c));
  }
  const auto came_in = [&](std::int64_t piece, const PipelineTask& task) {
    const auto family = families + 2 * static_cast<std::size_t>(piece) + (task.pass == Pass::backward ? 1 : 0);
    return Event{family, task.micro_batch, pipeline.micro_batches};
  };
  for (const PipelineTask& task : order) {
    const bool forward = task.pass == Pass::forward;
    const std::int64_t stage = pipeline.stage_of(task.piece);
    const StreamId compute = roles.stream(stage, streams.compute);
    const bool first = task.piece == (forward ? 0 : pieces - 1);
    const bool last = task.piece == (forward ? pieces - 1 : 0);
    program.tasks.push_back({program.body.size(), static_cast<std::size_t>(stage), task.pass, task.micro_batch});
    if (!first) program.body.push_back({Wait{compute, came_in(task.piece, task)}});
    append(program.body, roles.of(stage, operations_of(task)));
    if (last) continue;
    const std::int64_t to = task.piece + (forward ? 1 : -1);
    const StreamId send = roles.stream(stage, forward ? streams.send_forward : streams.send_backward);
    const Event done{roles.event(stage, streams.done), 0, 1};
    program.body.push_back({Record{compute, done}});
    program.body.push_back({Wait{send, done}});
    program.body.push_back({Send{send, task.pass, forward ? "activations" : "gradients of activations",
                                 static_cast<std::size_t>(pipeline.stage_of(to)), activations}});
    program.body.push_back({Record{send, came_in(to, task)}});
  }
}

}  // namespace ringsim::sim
