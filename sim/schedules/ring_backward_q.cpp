// Backward ring in which Q, dO, the statistics (LSE and delta) and dQ travel and K/V, dK/dV stay. Fewer bytes than moving
// K/V only where query heads are few for each key/value head (G/H above about 0.7).

#include "sim/schedules/ring_backward.hpp"

namespace ringsim::sim {

void append_ring_backward_q(Program& program, const RingSpec& spec) {
  append_ring_backward(program, spec,
                       {Block::travelling,
                        Block::resident,
                        {"Q/dO/statistics", spec.shape.q_bundle_per_token()},
                        {"dQ", spec.shape.q_gradient_per_token()},
                        Accumulator::kv_gradient,
                        Accumulator::q_gradient});
}

}  // namespace ringsim::sim
