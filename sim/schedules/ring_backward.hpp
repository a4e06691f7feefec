#pragma once
// The backward ring, whatever travels: both variants have the same loop and differ in who stays and who goes.

#include "sim/schedules/schemes.hpp"

namespace ringsim::sim {

/// A block travels together with the gradient of its own tensors, which every rank adds to.
struct BackwardRotation {
  Block queries;           // which block the queries are
  Block keys;              // which block the keys are
  Tensor operands;         // K/V, or Q, dO and statistics
  Tensor gradient;         // dK/dV, or dQ
  Accumulator resident;    // gradient that stays
  Accumulator travelling;  // gradient that travels
};

[[nodiscard]] std::vector<Operation> ring_backward_layer(Program& program, const RingSpec& spec,
                                                         const BackwardRotation& rotation,
                                                         const AttentionStreams& streams);

}  // namespace ringsim::sim
