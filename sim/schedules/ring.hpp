#pragma once
// Attention over sequences that ranks divide, as programs: (model, workload, plan) -> Program. One file a scheme:
//
//   ring_forward, ring_backward*   K/V (backward: or Q and its bundle) go from rank to rank, one way round
//   ring_pass_q                    Q goes around, partial outputs come back
//   ring_both_ways                 half of the heads or of the tokens goes each way round
//   ring_two_level                 rings inside the nodes, and a ring of nodes
//   all_gather                     every rank gathers all K/V
//   ulysses                        around any of these: heads instead of tokens are divided further
//
// Streams: compute (attention and merges) and transfer (grouped send-receives). Two events: "computed" of a step, which
// frees the buffer that the next receive overwrites, and "arrived", which the next step's kernel needs.
// With b buffers the hop of step k overwrites the buffer that step k - b + 1 computed on, so it waits for that step:
// two buffers post the hop at the start of step k, three may post it during step k - 1.

#include "models/scenario.hpp"
#include "sim/program.hpp"

namespace ringsim::sim {

/// Streams and events that all ring schedules use, in the order of Program::streams and Program::events.
namespace ring_program {
inline constexpr StreamId compute = 0;
inline constexpr StreamId transfer = 1;
inline constexpr std::size_t computed = 0;
inline constexpr std::size_t arrived = 1;
inline constexpr std::size_t layer_started = 2;
}  // namespace ring_program

/// Where the operations of a scheme go, as indices into Program::streams and Program::events: by default to a program of
/// its own.
struct AttentionStreams {
  StreamId compute = ring_program::compute;
  StreamId transfer = ring_program::transfer;
  StreamId between_nodes = 2;   // of two-level rings alone
  std::size_t first_event = 0;  // theirs follow each other
};

/// What the schedules need to know of a scenario.
struct RingSpec {
  Shards shards;
  RingShape shape;
  std::int64_t buffers = 2;
  std::vector<Mask> masks;
  std::vector<std::size_t> mask_of_layer;
  Exchange exchange = Exchange::one_way;
  Halves halves = Halves::heads;
  std::int64_t inner = 1;    // ranks of an inner ring, of a two-level ring
  std::int64_t ulysses = 1;  // `shape` has the heads inside of attention
};
[[nodiscard]] RingSpec ring_spec(const Scenario& scenario);

/// A program without operations: geometry, streams and events.
[[nodiscard]] Program empty_ring_program(const RingSpec& spec);

/// Appends one pass of all layers: forward, or backward in reverse.
void append_attention(Program& program, const RingSpec& spec, Pass pass);

/// The program of a scenario's attention: forward for prefill; forward, then backward, for train;
/// backward alone for backward.
[[nodiscard]] Program ring_program_of(const Scenario& scenario);
[[nodiscard]] Program ring_program_of(const RingSpec& spec, bool forward, bool backward);

}  // namespace ringsim::sim
