// A two-level ring, forward (LoongTrain's double ring, arXiv 2406.18485 §4.3; FlexSP and USP implementations have the same): N ranks form
// N/M inner rings of M, the ranks of a node each. In a turn a block goes once around the inner ring; the block that a rank had
// when the turn began goes to the same place of the next inner ring meanwhile, for the next turn.
//
//   turn o:             between | shift K/V of the turn | record keys crossed
//     step k = o·M + i: transfer | wait computed(k - b + 1) | shift K/V(k) | record arrived(k)     i < M - 1
//                       compute  | attend(k) | merge O (k > 0) | record computed(k) | wait arrived(k)
//   end of the turn:    compute  | wait keys crossed
//
// So the slow hop, N/M - 1 of them, has M kernels to hide behind instead of one; a one-way ring has it in every step. Exposed is
// what of it is longer than the turn. The block that a turn starts with has two buffers of its own beside the b of the inner
// ring: it leaves for the other node while the inner ring overwrites what it has used.

#include "sim/schedules/schemes.hpp"

namespace ringsim::sim {
namespace {

struct Layer {
  const RingSpec& spec;
  const AttentionStreams& streams;
  std::size_t kv = 0;
};

std::vector<Operation> step_body(const Layer& l, Slot current, bool merges, bool shifts) {
  const AttentionStreams& s = l.streams;
  const std::int64_t buffers = l.spec.buffers;
  const Event freed = event_of(s, ring_program::computed, buffers - 1);
  const Event here = event_of(s, ring_program::arrived, buffers);
  std::vector<Operation> body;
  if (shifts) {
    body.push_back({Wait{s.transfer, freed}});
    body.push_back({Shift{s.transfer, Pass::forward, {{l.kv, 0, current, {1, buffers}, Way::inner}}}});
    body.push_back({Record{s.transfer, here}});
  }
  Attend attend{s.compute, Pass::forward, Block::resident, Block::travelling, current, Way::inner};
  attend.tensor = l.kv;
  attend.starts = !merges;
  body.push_back({attend});
  if (merges) {
    body.push_back({Merge{s.compute, Pass::forward, Accumulator::output, false, false, Way::inner}});
  }
  body.push_back({Record{s.compute, freed}});
  if (shifts) body.push_back({Wait{s.compute, here}});
  return body;
}

void append_turn(std::vector<Operation>& body, const Layer& l, std::int64_t turn, bool last) {
  const AttentionStreams& s = l.streams;
  const std::int64_t m = l.spec.inner;
  const std::int64_t buffers = l.spec.buffers;
  const Event crossed = event_of(s, scheme_events::keys_crossed);
  append_start(body, s);
  if (!last) {
    body.push_back({Wait{s.between_nodes, event_of(s, ring_program::layer_started)}});
    body.push_back(
        steps(turn, 1,
              {{Shift{s.between_nodes, Pass::forward, {{l.kv, 0, {0, 2, buffers}, {1, 2, buffers}, Way::outer}}}},
               {Record{s.between_nodes, crossed}}}));
  }
  const Slot started_with{0, 1, buffers + turn % 2};
  const Slot current{0, buffers};
  const std::int64_t first = turn * m;
  body.push_back(steps(first, 1, step_body(l, started_with, turn > 0, true)));
  if (m > 2) body.push_back(steps(first + 1, m - 2, step_body(l, current, true, true)));
  body.push_back(steps(first + m - 1, 1, step_body(l, current, true, false)));
  if (!last) body.push_back({Wait{s.compute, crossed}});
}

}  // namespace

std::vector<Operation> two_level_forward_layer(Program& program, const RingSpec& spec,
                                               const AttentionStreams& streams) {
  const Layer layer{spec, streams, index_of_tensor(program, {"K/V", spec.shape.kv_per_token()})};
  const std::int64_t turns = spec.shards.ring() / spec.inner;
  std::vector<Operation> body;
  for (std::int64_t turn = 0; turn < turns; ++turn) append_turn(body, layer, turn, turn + 1 == turns);
  return body;
}

}  // namespace ringsim::sim
