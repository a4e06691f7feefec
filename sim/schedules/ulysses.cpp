// Ulysses (Jacobs et al., DeepSpeed-Ulysses, arXiv 2309.14509 §3): outside of attention the U ranks of a group each hold 1/U
// of a block's tokens, inside each holds all tokens of the block and 1/U of the heads. Around a ring of one it is
// DeepSpeed-Ulysses, around a longer one USP (Fang, Zhao, arXiv 2405.07719).
//
//   forward:   all-to-all Q, K, V | the scheme on heads/U | all-to-all O
//   backward:  all-to-all dO      | the scheme            | all-to-all dQ, dK, dV
//
// A rank sends, its own 1/U included, for a token of the block: b·(H·Dqk + G·(Dqk + Dv))·e of its H and G heads inside (the
// B/U tokens that it has outside have U times as many heads). With fewer key/value heads than ranks every head goes to
// several of them: G is 1 inside. Q, K, V, O and the statistics stay where they are for the backward pass. Gradients go back in the
// workload's format; those of a head that several ranks have are added up on arrival. Cached keys are held by heads.
// Everything is on the compute stream: nothing hides it.

#include "sim/schedules/schemes.hpp"

#include <iterator>
#include <utility>

namespace ringsim::sim {

std::vector<Operation> within_ulysses(Program& program, const RingSpec& spec, Pass pass,
                                      const AttentionStreams& streams, std::vector<Operation> inside) {
  const Bytes all = spec.shape.q_per_token() + spec.shape.kv_per_token();
  const Bytes output = spec.shape.output_per_token();
  const auto exchange = [&](const char* name, Bytes per_token, Content content) {
    const std::size_t traffic =
        index_of_traffic(program, {name, CollectiveKind::all_to_all, Group::ulysses, per_token, {}});
    return Operation{Collective{streams.compute, pass, {traffic}, content}};
  };
  const bool forward = pass == Pass::forward;
  std::vector<Operation> layer;
  layer.push_back(forward ? exchange("all-to-all of Q, K, V", all, Content::queries_keys)
                          : exchange("all-to-all of dO", output, Content::output_gradient));
  layer.insert(layer.end(), std::move_iterator(inside.begin()), std::move_iterator(inside.end()));
  layer.push_back(forward ? exchange("all-to-all of O", output, Content::output)
                          : exchange("all-to-all of dQ, dK, dV", all, Content::gradients));
  return layer;
}

}  // namespace ringsim::sim
