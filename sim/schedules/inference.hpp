#pragma once
// A forward pass of the whole model without a backward one, through the stages of a pipeline or in the only one: what prefill and
// decode have in common around their attention.

#include "sim/schedules/model_layer.hpp"
#include "sim/schedules/pipeline_program.hpp"

namespace ringsim::sim {

/// Appends it to a program of one role, whose streams and events become those of every stage: embedding before the first piece of
/// the layers, after the last one the logits of every sequence's last token where they are wanted.
void append_inference(Program& program, const Scenario& scenario, const BlockShape& shape, const Pipeline& pipeline,
                      const LayerOperations& layers, bool with_logits);

}  // namespace ringsim::sim
