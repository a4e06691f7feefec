// A ring both ways round: half of every block's K/V goes from rank to rank + 1 and the other half from rank to rank - 1, at
// the same time, so that links with two directions carry half as much in each. Halves are of the heads or of the tokens.
//
//   step 0:  transfer | shift both halves | record arrived(0)
//            compute  | attend the own block, whole | record computed(0) | wait arrived(0)
//   step k:  transfer | wait computed(k - b + 1) | shift both halves | record arrived(k)
//            compute  | attend the half of rank r - k | merge | attend that of rank r + k | merge | record computed(k)
//                     | wait arrived(k)
//
// Each half goes N - 1 hops, so a rank sends as many bytes in all as one way round. Halves of heads make two kernels of half
// the heads, whose merges together cost what one of a whole block does; halves of tokens make two of half the keys, and
// merge the whole output twice. In the backward pass each half of K/V has its half of dK/dV behind it, as in
// ring_backward.cpp, and both come home in the N-th hop.

#include "models/error.hpp"
#include "sim/schedules/schemes.hpp"

#include <array>
#include <string>

namespace ringsim::sim {
namespace {

// What goes one way round.
struct Direction {
  Way way = Way::up;
  Share share = Share::whole;
  std::size_t keys = 0;      // tensor
  std::size_t gradient = 0;  // tensor
};
using Directions = std::array<Direction, 2>;

Directions directions_of(Program& program, const RingSpec& spec, Pass pass) {
  const bool heads = spec.halves == Halves::heads;
  if (heads && spec.shape.heads.batch * spec.shape.heads.kv_heads < 2) {
    throw Error("the one key/value head of a rank has no halves that could go both ways", "ring.halves", "tokens");
  }
  Directions directions = {{{Way::up, heads ? Share::first_heads : Share::first_tokens},
                            {Way::down, heads ? Share::second_heads : Share::second_tokens}}};
  for (Direction& d : directions) {
    const std::string suffix = d.way == Way::up ? " up" : " down";
    const double part = program.heads_of(d.share);
    d.keys = index_of_tensor(program, {"K/V" + suffix, spec.shape.kv_per_token() * part, Side::keys, d.share});
    if (pass == Pass::forward) continue;
    d.gradient =
        index_of_tensor(program, {"dK/dV" + suffix, spec.shape.kv_gradient_per_token() * part, Side::keys, d.share});
  }
  return directions;
}

struct StepParts {
  bool first = false;     // one kernel on the own block
  bool operands = false;  // K/V move on at this step
  bool gradient = false;  // dK/dV of the step before move on
};

void append_kernels(std::vector<Operation>& body, const AttentionStreams& s, const Directions& directions, Pass pass,
                    std::int64_t buffers, bool first) {
  if (first) {
    Attend attend{s.compute, pass, Block::resident, Block::resident};
    attend.starts = true;
    if (pass == Pass::backward) {
      for (const Direction& d : directions) attend.starts_travelling.push_back({d.gradient, {0, 2}});
    }
    body.push_back({attend});
    return;
  }
  for (const Direction& d : directions) {
    body.push_back({Attend{s.compute, pass, Block::resident, Block::travelling, {0, buffers}, d.way, d.share, d.keys}});
    const Accumulator stays = pass == Pass::forward ? Accumulator::output : Accumulator::q_gradient;
    body.push_back({Merge{s.compute, pass, stays, false, false, d.way, d.share}});
  }
}

std::vector<Operation> step_body(const AttentionStreams& s, const Directions& directions, Pass pass,
                                 std::int64_t buffers, StepParts parts) {
  const bool forward = pass == Pass::forward;
  // A hop of the backward pass carries the gradient that the step before completed: no third buffer makes it earlier.
  const Event freed = event_of(s, ring_program::computed, forward ? buffers - 1 : 1);
  const Event here = event_of(s, ring_program::arrived, forward ? buffers : 2);
  Shift shift{s.transfer, pass, {}};
  for (const Direction& d : directions) {
    if (parts.operands) shift.items.push_back({d.keys, 0, {0, buffers}, {1, buffers}, d.way});
    if (parts.gradient) shift.items.push_back({d.gradient, 1, {1, 2}, {0, 2}, d.way});
  }
  const bool shifts = !shift.items.empty();
  std::vector<Operation> body;
  if (shifts) {
    body.push_back({Wait{s.transfer, freed}});
    body.push_back({std::move(shift)});
    body.push_back({Record{s.transfer, here}});
  }
  append_kernels(body, s, directions, pass, buffers, parts.first);
  if (forward) body.push_back({Record{s.compute, freed}});
  if (shifts) body.push_back({Wait{s.compute, here}});
  if (!forward) {
    for (const Direction& d : directions) {
      if (parts.first) break;
      Merge merge{s.compute, pass, Accumulator::kv_gradient, true, false, d.way, d.share};
      merge.into = {d.gradient, {0, 2}};
      body.push_back({merge});
    }
    body.push_back({Record{s.compute, freed}});
  }
  return body;
}

}  // namespace

std::vector<Operation> both_ways_layer(Program& program, const RingSpec& spec, Pass pass,
                                       const AttentionStreams& streams) {
  const std::int64_t n = spec.shards.ring();
  const bool backward = pass == Pass::backward;
  const Directions directions = directions_of(program, spec, pass);
  const auto body = [&](StepParts parts) { return step_body(streams, directions, pass, spec.buffers, parts); };

  std::vector<Operation> layer;
  append_start(layer, streams);
  layer.push_back(steps(0, 1, body({true, n > 1, false})));
  if (n > 2) layer.push_back(steps(1, n - 2, body({false, true, backward})));
  if (n > 1) layer.push_back(steps(n - 1, 1, body({false, false, backward})));
  if (n > 1 && backward) {
    const Event home = event_of(streams, ring_program::arrived, 2);
    Shift shift{streams.transfer, pass, {}};
    for (const Direction& d : directions) shift.items.push_back({d.gradient, 1, {1, 2}, {0, 2}, d.way});
    layer.push_back(steps(n, 1,
                          {{Wait{streams.transfer, event_of(streams, ring_program::computed)}},
                           {std::move(shift)},
                           {Record{streams.transfer, home}},
                           {Wait{streams.compute, home}}}));
  }
  return layer;
}

}  // namespace ringsim::sim
