#pragma once
// A pipeline as a program: tasks of every stage as its role's operations, and what goes from stage to stage.
//
//   forward of piece c, micro-batch j   compute  | wait activations(c, j) | operations of the piece | record done
//                                       send out | wait done | send activations | record activations(c + 1, j)
//   backward                            the same the other way: gradients of the activations
//
// Sends run beside the computation, one stream a direction, and are never waited for by their sender. A token's activations are
// `hidden` elements; every tensor rank sends all of them to its peer (under sequence parallelism its part). Not modelled: the
// memory that bounds how far a stage runs ahead (the order does), tensor ranks that send a part each and gather again.

#include "sim/program.hpp"
#include "sim/schedules/pipeline_order.hpp"
#include "sim/schedules/roles.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ringsim::sim {

/// Streams and events that a pipeline adds to those of one role.
struct PipelineStreams {
  StreamId compute = 0;
  StreamId send_forward = 0;
  StreamId send_backward = 0;
  std::size_t done = 0;  // event: the piece that was computed last
};
/// Adds them to a program of one role; nothing where there is one stage.
[[nodiscard]] PipelineStreams add_pipeline_streams(Program& program, const Pipeline& pipeline, bool backward);

/// Appends the tasks in the given order. `operations_of` gives those of a task, written for role 0, without what comes from and
/// goes to other stages. `activations`: bytes a token that a stage sends to the next, and gets back as their gradient.
void append_pipeline(Program& program, const Roles& roles, const PipelineStreams& streams, const Pipeline& pipeline,
                     const std::vector<PipelineTask>& order, Bytes activations,
                     const std::function<std::vector<Operation>(const PipelineTask&)>& operations_of);

}  // namespace ringsim::sim
