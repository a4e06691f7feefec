// Backward ring in which Q, dO, the statistics (LSE and delta) and dQ travel and K/V, dK/dV stay. Fewer bytes than moving
// K/V only where query heads are few for each key/value head (G/H above about 0.7).

#include "sim/schedules/ring_backward.hpp"

namespace ringsim::sim {

std::vector<Operation> ring_backward_q_layer(Program& program, const RingSpec& spec, const AttentionStreams& streams) {
  return ring_backward_layer(program, spec,
                             {Block::travelling,
                              Block::resident,
                              {"Q/dO/statistics", spec.shape.q_bundle_per_token(), Side::queries},
                              {"dQ", spec.shape.q_gradient_per_token(), Side::queries},
                              Accumulator::kv_gradient,
                              Accumulator::q_gradient},
                             streams);
}

}  // namespace ringsim::sim
