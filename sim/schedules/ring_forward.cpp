// Ring attention, forward, pass-KV (Liu, Zaharia, Abbeel, arXiv 2310.01889 §3; the loop of the reference PyTorch codes):
// queries stay, K/V travel, partial outputs are folded by online softmax.
//
//   step k:  transfer | wait computed(k - b + 1) | shift K/V(k) | record arrived(k)
//            compute  | attend(k) | merge O (k > 0) | record computed(k) | wait arrived(k)
//
// The first partial output is the accumulator, so step 0 merges nothing; the last step shifts nothing. The final
// division by l and the conversion of O are not modelled.

#include "sim/schedules/ring.hpp"

namespace ringsim::sim {
namespace {

using namespace ring_program;

std::vector<Operation> step_body(std::size_t kv, std::int64_t buffers, bool merges, bool shifts) {
  const Slot current{0, buffers};
  const Event freed{computed, 0, buffers - 1};  // the record of step k - (b - 1)
  const Event here{arrived, 0, buffers};
  std::vector<Operation> body;
  if (shifts) {
    body.push_back({Wait{transfer, freed}});
    body.push_back({Shift{transfer, Pass::forward, {{kv, 0, current, {1, buffers}}}}});
    body.push_back({Record{transfer, here}});
  }
  body.push_back({Attend{compute, Pass::forward, Block::resident, Block::travelling, current}});
  if (merges) body.push_back({Merge{compute, Pass::forward, Accumulator::output, false}});
  body.push_back({Record{compute, freed}});
  if (shifts) body.push_back({Wait{compute, here}});
  return body;
}

}  // namespace

void append_ring_forward(Program& program, const RingSpec& spec) {
  const std::int64_t n = spec.shards.ring();
  const std::size_t kv = program.tensors.size();
  program.tensors.push_back({"K/V", spec.shape.kv_per_token()});

  std::vector<Operation> layer;
  layer.push_back({Record{compute, {layer_started, 0, 1}}});  // this layer's K/V exist now, not earlier
  layer.push_back({Wait{transfer, {layer_started, 0, 1}}});
  layer.push_back({Repeat{Loop::step, 0, 1, false, step_body(kv, spec.buffers, false, n > 1)}});
  if (n > 2) layer.push_back({Repeat{Loop::step, 1, n - 2, false, step_body(kv, spec.buffers, true, true)}});
  if (n > 1) layer.push_back({Repeat{Loop::step, n - 1, 1, false, step_body(kv, spec.buffers, true, false)}});
  program.body.push_back({Repeat{Loop::layer, 0, program.layers(), false, std::move(layer)}});
}

}  // namespace ringsim::sim
