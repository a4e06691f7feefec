// Backward ring in which K/V and dK/dV travel and Q, dO, the statistics and dQ stay (the usual one).

#include "sim/schedules/ring_backward.hpp"

namespace ringsim::sim {

void append_ring_backward_kv(Program& program, const RingSpec& spec) {
  append_ring_backward(program, spec,
                       {Block::resident,
                        Block::travelling,
                        {"K/V", spec.shape.kv_per_token()},
                        {"dK/dV", spec.shape.kv_gradient_per_token()},
                        Accumulator::q_gradient,
                        Accumulator::kv_gradient});
}

}  // namespace ringsim::sim
