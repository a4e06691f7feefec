// A two-level ring, backward: K/V as in ring_two_level.cpp. The gradient of a block is collected a turn at a time: it goes
// around the inner ring with the block, and at the turn's end one hop on to the rank of the block's place. There it is added to
// what the turns before have collected, which has come from the node before; the sum goes on to the next node.
//
//   turn o:              between  | shift K/V of the turn
//     step k = o·M + i:  transfer | wait computed(k - 1) | shift K/V(k) (i < M - 1), gradient(k - 1) (k > 0) | record arrived(k)
//                        compute  | attend(k) | add to dQ (k > 0) | wait arrived(k) | add to the travelling gradient (i > 0)
//                                 | record computed(k)
//     after step o·M:    compute  | add what came from the node before to the turn o - 1 (o > 1) | record gradient ready
//                        between  | shift the sum of turns 0 ... o - 1 | record gradient crossed
//   home:                transfer | shift gradient(N - 1);  compute | add;  between | shift the sum of all turns
//
// A block's gradient so makes N hops inside nodes and N/M between them, the last of which brings it home. A hop between nodes has
// from step o·M on M kernels to hide behind, and shares its stream with the K/V of the next turn. Exposed are, beside what is
// longer than that, the last hop inside and the last between nodes, which have nothing to hide behind. Buffers of dK/dV: two of
// the inner ring, two sums of which one may be leaving, one for what comes.

#include "sim/schedules/schemes.hpp"

#include <utility>

namespace ringsim::sim {
namespace {

struct Layer {
  const RingSpec& spec;
  const AttentionStreams& streams;
  std::size_t kv = 0;
  std::size_t gradient = 0;
  std::int64_t turns = 1;
};

constexpr Slot inner_gradient{0, 2};
constexpr Slot inner_gradient_before{1, 2};
constexpr Slot from_node_before{0, 1, 4};
// The sum of turns 0 ... `turn`.
constexpr Slot sum_of(std::int64_t turn) { return {0, 1, 2 + turn % 2}; }

struct StepParts {
  std::int64_t turn = 0;
  bool operands = false;  // K/V move on inside the node
  bool starts = false;    // the turn's first step: its results are the turn's gradient
};

ShiftItem gradient_item(const Layer& l, Slot to) { return {l.gradient, 1, inner_gradient_before, to, Way::inner}; }

std::vector<Operation> step_body(const Layer& l, Slot current, StepParts parts) {
  const AttentionStreams& s = l.streams;
  const Event freed = event_of(s, ring_program::computed);
  const Event here = event_of(s, ring_program::arrived, 2);
  const bool first = parts.starts && parts.turn == 0;
  Shift shift{s.transfer, Pass::backward, {}};
  if (parts.operands) shift.items.push_back({l.kv, 0, current, {1, l.spec.buffers}, Way::inner});
  if (!parts.starts) shift.items.push_back(gradient_item(l, inner_gradient));
  if (parts.starts && !first) shift.items.push_back(gradient_item(l, sum_of(parts.turn - 1)));
  std::vector<Operation> body;
  body.push_back({Wait{s.transfer, freed}});
  body.push_back({std::move(shift)});
  body.push_back({Record{s.transfer, here}});
  Attend attend{s.compute, Pass::backward, Block::resident, Block::travelling, current, Way::inner};
  attend.tensor = l.kv;
  attend.starts = first;
  if (parts.starts) attend.starts_travelling = {{l.gradient, inner_gradient}};
  body.push_back({attend});
  if (!first) {
    body.push_back({Merge{s.compute, Pass::backward, Accumulator::q_gradient, false, false, Way::inner}});
  }
  body.push_back({Wait{s.compute, here}});
  if (!parts.starts) {
    Merge merge{s.compute, Pass::backward, Accumulator::kv_gradient, true, false, Way::inner};
    merge.into = {l.gradient, inner_gradient};
    body.push_back({merge});
  }
  body.push_back({Record{s.compute, freed}});
  return body;
}

// The gradient of turn `turn` has come to its place: it is added up and leaves for the next node.
void append_crossing(std::vector<Operation>& body, const Layer& l, std::int64_t turn) {
  const AttentionStreams& s = l.streams;
  const Event crossed = event_of(s, scheme_events::gradient_crossed);
  const Event ready = event_of(s, scheme_events::gradient_ready);
  if (turn > 0) {
    Merge merge{s.compute, Pass::backward, Accumulator::kv_gradient, true, false, Way::outer};
    merge.into = {l.gradient, sum_of(turn)};
    merge.from = from_node_before;
    body.push_back({Wait{s.compute, crossed}});
    body.push_back(steps(turn, 1, {{merge}}));
  }
  body.push_back({Record{s.compute, ready}});
  body.push_back({Wait{s.between_nodes, ready}});
  body.push_back(
      steps(turn + 1, 1,
            {{Shift{s.between_nodes, Pass::backward, {{l.gradient, 1, sum_of(turn), from_node_before, Way::outer}}}},
             {Record{s.between_nodes, crossed}}}));
}

void append_turn(std::vector<Operation>& body, const Layer& l, std::int64_t turn) {
  const AttentionStreams& s = l.streams;
  const std::int64_t m = l.spec.inner;
  const std::int64_t buffers = l.spec.buffers;
  const bool last = turn + 1 == l.turns;
  const Event crossed = event_of(s, scheme_events::keys_crossed);
  append_start(body, s);
  if (!last) {
    body.push_back({Wait{s.between_nodes, event_of(s, ring_program::layer_started)}});
    body.push_back(
        steps(turn, 1,
              {{Shift{s.between_nodes, Pass::backward, {{l.kv, 0, {0, 2, buffers}, {1, 2, buffers}, Way::outer}}}},
               {Record{s.between_nodes, crossed}}}));
  }
  const std::int64_t first = turn * m;
  body.push_back(steps(first, 1, step_body(l, {0, 1, buffers + turn % 2}, {turn, true, true})));
  if (turn > 0) append_crossing(body, l, turn - 1);
  if (m > 2) body.push_back(steps(first + 1, m - 2, step_body(l, {0, buffers}, {turn, true, false})));
  body.push_back(steps(first + m - 1, 1, step_body(l, {0, buffers}, {turn, false, false})));
  if (!last) body.push_back({Wait{s.compute, crossed}});
}

}  // namespace

std::vector<Operation> two_level_backward_layer(Program& program, const RingSpec& spec,
                                                const AttentionStreams& streams) {
  const std::size_t kv = index_of_tensor(program, {"K/V", spec.shape.kv_per_token()});
  const std::size_t gradient = index_of_tensor(program, {"dK/dV", spec.shape.kv_gradient_per_token()});
  const std::int64_t n = spec.shards.ring();
  const Layer layer{spec, streams, kv, gradient, n / spec.inner};
  std::vector<Operation> body;
  for (std::int64_t turn = 0; turn < layer.turns; ++turn) append_turn(body, layer, turn);
  const Event home = event_of(streams, ring_program::arrived, 2);
  body.push_back(steps(n, 1,
                       {{Wait{streams.transfer, event_of(streams, ring_program::computed)}},
                        {Shift{streams.transfer, Pass::backward, {gradient_item(layer, sum_of(layer.turns - 1))}}},
                        {Record{streams.transfer, home}},
                        {Wait{streams.compute, home}}}));
  append_crossing(body, layer, layer.turns - 1);
  body.push_back({Wait{streams.compute, event_of(streams, scheme_events::gradient_crossed)}});
  return body;
}

}  // namespace ringsim::sim
