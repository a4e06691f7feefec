// The backward ring. Operands of a block and the accumulator of its gradient travel the same way round.
//
//   step k:  transfer | wait computed(k - 1) | shift operands(k), gradient(k - 1) | record arrived(k)
//            compute  | attend(k) | add to the resident gradient (k > 0) | wait arrived(k) | add to the travelling gradient (k > 0)
//                     | record computed(k)
//   home:    transfer | wait computed(N - 1) | shift gradient(N - 1) | record;   compute | wait
//
// A step's own contribution to the travelling gradient goes to a buffer of its own and is added after both the kernel
// and the arrival have ended, so the travelling gradient is not on the kernel's critical path. Step 0's contributions *are*
// the two gradients, so it adds nothing. K/V make N - 1 hops, the gradient N: the last one brings it home and has no compute to hide
// behind. Since a hop carries the gradient that the step before completed, a third buffer cannot post it earlier.

#include "sim/schedules/ring_backward.hpp"

namespace ringsim::sim {
namespace {

struct StepParts {
  bool operands = false;  // operands move on at this step
  bool gradient = false;  // the gradient of the step before moves on, so this step adds to both gradients
};

std::vector<Operation> step_body(const AttentionStreams& s, const BackwardRotation& rotation, std::size_t operands,
                                 std::size_t gradient, std::int64_t buffers, StepParts parts) {
  const Slot current{0, buffers};
  const Slot gradient_slot{1, 2};  // of step k - 1
  const Event freed = event_of(s, ring_program::computed);
  const Event here = event_of(s, ring_program::arrived, 2);
  std::vector<Operation> body;
  Shift shift{s.transfer, Pass::backward, {}};
  if (parts.operands) shift.items.push_back({operands, 0, current, {1, buffers}});
  if (parts.gradient) shift.items.push_back({gradient, 1, gradient_slot, {0, 2}});
  const bool shifts = !shift.items.empty();
  if (shifts) {
    body.push_back({Wait{s.transfer, freed}});
    body.push_back({std::move(shift)});
    body.push_back({Record{s.transfer, here}});
  }
  Attend attend{s.compute, Pass::backward, rotation.queries, rotation.keys, current};
  attend.tensor = operands;
  attend.starts = !parts.gradient;
  if (attend.starts) attend.starts_travelling = {{gradient, {0, 2}}};
  body.push_back({attend});
  if (parts.gradient) body.push_back({Merge{s.compute, Pass::backward, rotation.resident, false}});
  if (shifts) body.push_back({Wait{s.compute, here}});
  if (parts.gradient) {
    Merge merge{s.compute, Pass::backward, rotation.travelling, true};
    merge.into = {gradient, {0, 2}};
    body.push_back({merge});
  }
  body.push_back({Record{s.compute, freed}});
  return body;
}

}  // namespace

std::vector<Operation> ring_backward_layer(Program& program, const RingSpec& spec, const BackwardRotation& rotation,
                                           const AttentionStreams& streams) {
  const std::int64_t n = spec.shards.ring();
  const std::size_t operands = index_of_tensor(program, rotation.operands);
  const std::size_t gradient = index_of_tensor(program, rotation.gradient);
  const auto body = [&](StepParts parts) {
    return step_body(streams, rotation, operands, gradient, spec.buffers, parts);
  };

  std::vector<Operation> layer;
  append_start(layer, streams);
  layer.push_back(steps(0, 1, body({n > 1, false})));
  if (n > 2) layer.push_back(steps(1, n - 2, body({true, true})));
  if (n > 1) {
    layer.push_back(steps(n - 1, 1, body({false, true})));
    const Event home = event_of(streams, ring_program::arrived, 2);
    layer.push_back(steps(n, 1,
                          {{Wait{streams.transfer, event_of(streams, ring_program::computed)}},
                           {Shift{streams.transfer, Pass::backward, {{gradient, 1, {1, 2}, {0, 2}}}}},
                           {Record{streams.transfer, home}},
                           {Wait{streams.compute, home}}}));
  }
  return layer;
}

}  // namespace ringsim::sim
