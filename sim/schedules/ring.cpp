#include "sim/schedules/ring.hpp"

#include "models/ring_shape.hpp"

#include <algorithm>

namespace ringsim::sim {

RingSpec ring_spec(const Scenario& s) {
  RingSpec spec{Shards(s.ring.layout, s.workload.tokens, s.parallel.ring), ring_shape(s), s.ring.buffers, {}, {}};
  for (std::int64_t layer = 0; layer < s.model.layers; ++layer) {
    const Mask mask = mask_of_layer(s, layer);
    const auto known = std::find(spec.masks.begin(), spec.masks.end(), mask);
    spec.mask_of_layer.push_back(static_cast<std::size_t>(known - spec.masks.begin()));
    if (known == spec.masks.end()) spec.masks.push_back(mask);
  }
  return spec;
}

Program empty_ring_program(const RingSpec& spec) {
  return {
      {"compute", "transfer"}, {"computed", "arrived", "layer started"}, {}, {}, spec.shards, spec.shape, spec.masks,
      spec.mask_of_layer};
}

Program ring_program_of(const RingSpec& spec, bool forward, bool backward) {
  Program program = empty_ring_program(spec);
  if (forward) append_ring_forward(program, spec);
  if (backward && spec.shape.backward == Rotation::kv) append_ring_backward_kv(program, spec);
  if (backward && spec.shape.backward == Rotation::q) append_ring_backward_q(program, spec);
  return program;
}

Program ring_program_of(const Scenario& scenario) {
  return ring_program_of(ring_spec(scenario), true, scenario.workload.phase == Phase::train);
}

}  // namespace ringsim::sim
