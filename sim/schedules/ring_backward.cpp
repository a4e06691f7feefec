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

using namespace ring_program;

struct StepParts {
  bool operands = false;  // operands move on at this step
  bool gradient = false;  // the gradient of the step before moves on, so this step adds to both gradients
};

std::vector<Operation> step_body(const BackwardRotation& rotation, std::size_t operands, std::size_t gradient,
                                 std::int64_t buffers, StepParts parts) {
  const Slot current{0, buffers};
  const Slot gradient_slot{1, 2};  // of step k - 1
  const Event freed{computed, 0, 1};
  const Event here{arrived, 0, 2};
  std::vector<Operation> body;
  Shift shift{transfer, Pass::backward, {}};
  if (parts.operands) shift.items.push_back({operands, 0, current, {1, buffers}});
  if (parts.gradient) shift.items.push_back({gradient, 1, gradient_slot, {0, 2}});
  const bool shifts = !shift.items.empty();
  if (shifts) {
    body.push_back({Wait{transfer, freed}});
    body.push_back({std::move(shift)});
    body.push_back({Record{transfer, here}});
  }
  body.push_back({Attend{compute, Pass::backward, rotation.queries, rotation.keys, current}});
  if (parts.gradient) body.push_back({Merge{compute, Pass::backward, rotation.resident, false}});
  if (shifts) body.push_back({Wait{compute, here}});
  if (parts.gradient) body.push_back({Merge{compute, Pass::backward, rotation.travelling, true}});
  body.push_back({Record{compute, freed}});
  return body;
}

}  // namespace

void append_ring_backward(Program& program, const RingSpec& spec, const BackwardRotation& rotation) {
  const std::int64_t n = spec.shards.ring();
  const std::size_t operands = program.tensors.size();
  program.tensors.push_back(rotation.operands);
  const std::size_t gradient = program.tensors.size();
  program.tensors.push_back(rotation.gradient);
  const auto steps = [&](std::int64_t first, std::int64_t count, StepParts parts) {
    return Operation{
        Repeat{Loop::step, first, count, false, step_body(rotation, operands, gradient, spec.buffers, parts)}};
  };

  std::vector<Operation> layer;
  layer.push_back({Record{compute, {layer_started, 0, 1}}});
  layer.push_back({Wait{transfer, {layer_started, 0, 1}}});
  layer.push_back(steps(0, 1, {n > 1, false}));
  if (n > 2) layer.push_back(steps(1, n - 2, {true, true}));
  if (n > 1) {
    layer.push_back(steps(n - 1, 1, {false, true}));
    const Event home{arrived, 0, 2};
    layer.push_back({Repeat{Loop::step,
                            n,
                            1,
                            false,
                            {{Wait{transfer, {computed, 0, 1}}},
                             {Shift{transfer, Pass::backward, {{gradient, 1, {1, 2}, {0, 2}}}}},
                             {Record{transfer, home}},
                             {Wait{compute, home}}}}});
  }
  program.body.push_back({Repeat{Loop::layer, program.layers() - 1, program.layers(), true, std::move(layer)}});
}

}  // namespace ringsim::sim
