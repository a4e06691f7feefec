// Ring attention, forward, pass-KV (Liu, Zaharia, Abbeel, arXiv 2310.01889 §3; the loop of the reference PyTorch codes):
// queries stay, K/V travel, partial outputs are folded by online softmax.
//
//   step k:  transfer | wait computed(k - b + 1) | shift K/V(k) | record arrived(k)
//            compute  | attend(k) | merge O (k > 0) | record computed(k) | wait arrived(k)
//
// The first partial output is the accumulator, so step 0 merges nothing; the last step shifts nothing. The final
// division by l and the conversion of O are not modelled.

#include "sim/schedules/schemes.hpp"

namespace ringsim::sim {
namespace {

std::vector<Operation> step_body(const AttentionStreams& s, std::size_t kv, std::int64_t buffers, bool merges,
                                 bool shifts) {
  const Slot current{0, buffers};
  const Event freed = event_of(s, ring_program::computed, buffers - 1);  // the record of step k - (b - 1)
  const Event here = event_of(s, ring_program::arrived, buffers);
  std::vector<Operation> body;
  if (shifts) {
    body.push_back({Wait{s.transfer, freed}});
    body.push_back({Shift{s.transfer, Pass::forward, {{kv, 0, current, {1, buffers}}}}});
    body.push_back({Record{s.transfer, here}});
  }
  Attend attend{s.compute, Pass::forward, Block::resident, Block::travelling, current};
  attend.tensor = kv;
  attend.starts = !merges;
  body.push_back({attend});
  if (merges) body.push_back({Merge{s.compute, Pass::forward, Accumulator::output, false}});
  body.push_back({Record{s.compute, freed}});
  if (shifts) body.push_back({Wait{s.compute, here}});
  return body;
}

}  // namespace

std::vector<Operation> ring_forward_layer(Program& program, const RingSpec& spec, const AttentionStreams& streams) {
  const std::int64_t n = spec.shards.ring();
  const std::size_t kv = index_of_tensor(program, {"K/V", spec.shape.kv_per_token()});
  const auto body = [&](bool merges, bool shifts) { return step_body(streams, kv, spec.buffers, merges, shifts); };

  std::vector<Operation> layer;
  append_start(layer, streams);  // this layer's K/V exist now, not earlier
  layer.push_back(steps(0, 1, body(false, n > 1)));
  if (n > 2) layer.push_back(steps(1, n - 2, body(true, true)));
  if (n > 1) layer.push_back(steps(n - 1, 1, body(true, false)));
  return layer;
}

}  // namespace ringsim::sim
