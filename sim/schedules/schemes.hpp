#pragma once
// What the schemes' files have in common, and one function a scheme: the attention operations of one layer.

#include "sim/schedules/attention_layer.hpp"

namespace ringsim::sim {

/// Events of the schemes, by their place behind AttentionStreams::first_event: those of ring_program, and of two-level rings
/// alone keys_crossed (K/V have come from the other node), gradient_ready (dK/dV of a turn may leave the node) and
/// gradient_crossed (they have come).
namespace scheme_events {
inline constexpr std::size_t keys_crossed = 3;
inline constexpr std::size_t gradient_ready = 4;
inline constexpr std::size_t gradient_crossed = 5;
}  // namespace scheme_events

[[nodiscard]] inline Event event_of(const AttentionStreams& streams, std::size_t which, std::int64_t count = 1) {
  return {streams.first_event + which, 0, count};
}

/// Index of an equal tensor or traffic of the program, which is appended where there is none.
[[nodiscard]] std::size_t index_of_tensor(Program& program, const Tensor& tensor);
[[nodiscard]] std::size_t index_of_traffic(Program& program, const CollectiveTraffic& traffic);

/// The transfers of what follows need what the compute stream has done before: the layer's own block, or a turn's.
void append_start(std::vector<Operation>& body, const AttentionStreams& streams);
/// A loop over steps.
[[nodiscard]] Operation steps(std::int64_t first, std::int64_t count, std::vector<Operation> body);

/// K/V travel, queries stay: N steps, N - 1 shifts.
[[nodiscard]] std::vector<Operation> ring_forward_layer(Program& program, const RingSpec& spec,
                                                        const AttentionStreams& streams);
/// K/V and dK/dV travel: N - 1 shifts of K/V, N of dK/dV, the last of which brings dK/dV home.
[[nodiscard]] std::vector<Operation> ring_backward_kv_layer(Program& program, const RingSpec& spec,
                                                            const AttentionStreams& streams);
/// Q, dO, the statistics and dQ travel, K/V and dK/dV stay.
[[nodiscard]] std::vector<Operation> ring_backward_q_layer(Program& program, const RingSpec& spec,
                                                           const AttentionStreams& streams);
/// Forward: Q travels, K/V stay, partial outputs come back in one all-to-all.
[[nodiscard]] std::vector<Operation> pass_q_layer(Program& program, const RingSpec& spec,
                                                  const AttentionStreams& streams);
[[nodiscard]] std::vector<Operation> both_ways_layer(Program& program, const RingSpec& spec, Pass pass,
                                                     const AttentionStreams& streams);
[[nodiscard]] std::vector<Operation> two_level_forward_layer(Program& program, const RingSpec& spec,
                                                             const AttentionStreams& streams);
[[nodiscard]] std::vector<Operation> two_level_backward_layer(Program& program, const RingSpec& spec,
                                                              const AttentionStreams& streams);
[[nodiscard]] std::vector<Operation> all_gather_layer(Program& program, const RingSpec& spec, Pass pass,
                                                      const AttentionStreams& streams);
/// Puts a scheme's operations between all-to-alls of the Ulysses ranks.
[[nodiscard]] std::vector<Operation> within_ulysses(Program& program, const RingSpec& spec, Pass pass,
                                                    const AttentionStreams& streams, std::vector<Operation> inside);

}  // namespace ringsim::sim
