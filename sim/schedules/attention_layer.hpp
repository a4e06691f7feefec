#pragma once
// The attention of one layer, by whatever scheme a RingSpec names, as operations to be put between others.
//
// The caller's Q, K and V (backward: dO) of the layer exist when the compute stream gets to the operations, and O (dQ, dK, dV)
// when it gets past them. The operations belong inside a Repeat over layers, or what sets the layer's index; loops over
// steps are theirs.

#include "sim/schedules/ring.hpp"

#include <string>
#include <vector>

namespace ringsim::sim {

/// Operations of one layer. Appends the tensors and the traffic that they name to the program, unless an equal one is there
/// already.
[[nodiscard]] std::vector<Operation> attention_layer(Program& program, const RingSpec& spec, Pass pass,
                                                     const AttentionStreams& streams = {});

/// Names of the streams and events that the operations use, in the order of AttentionStreams: a program that has several
/// roles appends them once a role.
[[nodiscard]] std::vector<std::string> attention_streams(const RingSpec& spec);
[[nodiscard]] std::vector<std::string> attention_events(const RingSpec& spec);

}  // namespace ringsim::sim
