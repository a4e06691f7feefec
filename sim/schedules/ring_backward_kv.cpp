// Backward ring in which K/V and dK/dV travel and Q, dO, the statistics and dQ stay (the usual one).

#include "sim/schedules/ring_backward.hpp"

namespace ringsim::sim {

std::vector<Operation> ring_backward_kv_layer(Program& program, const RingSpec& spec, const AttentionStreams& streams) {
  return ring_backward_layer(program, spec,
                             {Block::resident,
                              Block::travelling,
                              {"K/V", spec.shape.kv_per_token()},
                              {"dK/dV", spec.shape.kv_gradient_per_token()},
                              Accumulator::q_gradient,
                              Accumulator::kv_gradient},
                             streams);
}

}  // namespace ringsim::sim
