#include "sim/schedules/ring.hpp"

#include "models/inner_ring.hpp"
#include "models/ring_shape.hpp"
#include "sim/schedules/attention_layer.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {

RingSpec ring_spec(const Scenario& s) {
  RingSpec spec{Shards(s.ring.layout, s.workload.tokens, s.parallel.ring, s.workload.cached),
                ring_shape(s),
                s.ring.buffers,
                {},
                {},
                s.ring.exchange,
                s.ring.halves,
                s.ring.exchange == Exchange::two_level ? inner_ranks(s.parallel, s.cluster, s.ring) : 1,
                s.parallel.ulysses};
  for (std::int64_t layer = 0; layer < s.model.layers; ++layer) {
    const Mask mask = mask_of_layer(s, layer);
    const auto known = std::find(spec.masks.begin(), spec.masks.end(), mask);
    spec.mask_of_layer.push_back(static_cast<std::size_t>(known - spec.masks.begin()));
    if (known == spec.masks.end()) spec.masks.push_back(mask);
  }
  return spec;
}

Program empty_ring_program(const RingSpec& spec) {
  Program program{attention_streams(spec), attention_events(spec), {}, {}, spec.shards, spec.shape, spec.masks,
                  spec.mask_of_layer};
  program.inner = spec.inner;
  program.ulysses = spec.ulysses;
  return program;
}

void append_attention(Program& program, const RingSpec& spec, Pass pass) {
  const bool backward = pass == Pass::backward;
  const std::int64_t first = backward ? program.layers() - 1 : 0;
  std::vector<Operation> layer = attention_layer(program, spec, pass);
  program.body.push_back({Repeat{Loop::layer, first, program.layers(), backward, std::move(layer)}});
}

Program ring_program_of(const RingSpec& spec, bool forward, bool backward) {
  Program program = empty_ring_program(spec);
  if (forward) append_attention(program, spec, Pass::forward);
  if (backward) append_attention(program, spec, Pass::backward);
  return program;
}

Program ring_program_of(const Scenario& scenario) {
  const Phase phase = scenario.workload.phase;
  return ring_program_of(ring_spec(scenario), runs_forward(phase), runs_backward(phase));
}

}  // namespace ringsim::sim
