// Ring attention, forward, pass-Q (Yang et al., arXiv 2411.01783): K/V stay where they are, cached ones among them, and the
// queries of the new tokens travel. What a rank computes for the queries of others it keeps, and returns in one
// all-to-all when the queries have been everywhere; each rank then folds in what has come back.
//
//   step k:  transfer | wait computed(k - b + 1) | shift Q(k) | record arrived(k)
//            compute  | attend(k) | record computed(k) | wait arrived(k)
//   after:   compute  | all-to-all of partial outputs | merge O of rank r + k, k = 1 ... N - 1
//
// A rank sends b·H·(Dv·e + 4) bytes for each of the sequence's tokens in the all-to-all, its own included, which stay. Partial
// outputs that the mask leaves empty are sent all the same. N - 1 of them are kept at a time.

#include "sim/schedules/schemes.hpp"

namespace ringsim::sim {
namespace {

std::vector<Operation> step_body(const AttentionStreams& s, std::size_t q, std::int64_t buffers, bool first,
                                 bool shifts) {
  const Slot current{0, buffers};
  const Event freed = event_of(s, ring_program::computed, buffers - 1);
  const Event here = event_of(s, ring_program::arrived, buffers);
  std::vector<Operation> body;
  if (shifts) {
    body.push_back({Wait{s.transfer, freed}});
    body.push_back({Shift{s.transfer, Pass::forward, {{q, 0, current, {1, buffers}}}}});
    body.push_back({Record{s.transfer, here}});
  }
  Attend attend{s.compute, Pass::forward, Block::travelling, Block::resident, current};
  attend.tensor = q;
  attend.starts = first;
  body.push_back({attend});
  body.push_back({Record{s.compute, freed}});
  if (shifts) body.push_back({Wait{s.compute, here}});
  return body;
}

}  // namespace

std::vector<Operation> pass_q_layer(Program& program, const RingSpec& spec, const AttentionStreams& streams) {
  const std::int64_t n = spec.shards.ring();
  const std::size_t q = index_of_tensor(program, {"Q", spec.shape.q_per_token(), Side::queries});
  const auto body = [&](bool first, bool shifts) { return step_body(streams, q, spec.buffers, first, shifts); };

  std::vector<Operation> layer;
  append_start(layer, streams);
  layer.push_back(steps(0, 1, body(true, n > 1)));
  if (n == 1) return layer;
  if (n > 2) layer.push_back(steps(1, n - 2, body(false, true)));
  layer.push_back(steps(n - 1, 1, body(false, false)));
  const std::size_t partials =
      index_of_traffic(program, {"all-to-all of partial O",
                                 CollectiveKind::all_to_all,
                                 Group::ring,
                                 {},
                                 spec.shape.partial_per_token() * static_cast<double>(spec.shards.tokens())});
  layer.push_back({Collective{streams.compute, Pass::forward, {partials}, Content::returned}});
  Merge merge{streams.compute, Pass::forward, Accumulator::output, false, true, Way::down};
  layer.push_back(steps(1, n - 1, {{merge}}));
  return layer;
}

}  // namespace ringsim::sim
