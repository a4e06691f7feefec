// Context parallelism by all-gather (Llama 3, arXiv 2407.21783 §3.3.2; Megatron-LM's all_gather): every rank gathers the K/V
// of all ranks and computes its queries against all of them in one kernel. Nothing hides the collectives: they are on the
// compute stream.
//
//   forward:   compute | all-gather K/V | attend
//   backward:  compute | all-gather K/V | attend | reduce-scatter dK/dV
//
// K/V of the whole sequence, cached tokens included, are there at a time; they are not kept for the backward pass. Overlap
// of a gather with the kernel on part of the heads, as some codes have it, is not modelled.

#include "sim/schedules/schemes.hpp"

namespace ringsim::sim {

std::vector<Operation> all_gather_layer(Program& program, const RingSpec& spec, Pass pass,
                                        const AttentionStreams& streams) {
  const auto tokens = static_cast<double>(spec.shards.cached() + spec.shards.tokens());
  const std::size_t gather = index_of_traffic(
      program, {"all-gather of K/V", CollectiveKind::all_gather, Group::ring, {}, spec.shape.kv_per_token() * tokens});
  std::vector<Operation> layer;
  layer.push_back({Collective{streams.compute, pass, {gather}, Content::keys}});
  Attend attend{streams.compute, pass, Block::resident, Block::all};
  attend.starts = true;
  // The loop gives the kernel its step: it may stand in anybody's body.
  layer.push_back(steps(0, 1, {{attend}}));
  if (pass == Pass::backward) {
    const std::size_t scatter = index_of_traffic(program, {"reduce-scatter of dK/dV",
                                                           CollectiveKind::reduce_scatter,
                                                           Group::ring,
                                                           {},
                                                           spec.shape.kv_gradient_per_token() * tokens});
    layer.push_back({Collective{streams.compute, pass, {scatter}, Content::key_gradients}});
  }
  return layer;
}

}  // namespace ringsim::sim
