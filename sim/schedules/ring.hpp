#pragma once
// Ring attention as programs: (model, workload, plan) -> Program. One file a scheme.
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

/// What the schedules need to know of a scenario.
struct RingSpec {
  Shards shards;
  RingShape shape;
  std::int64_t buffers = 2;
  std::vector<Mask> masks;
  std::vector<std::size_t> mask_of_layer;
};
[[nodiscard]] RingSpec ring_spec(const Scenario& scenario);

/// A program without operations: geometry, streams and events.
[[nodiscard]] Program empty_ring_program(const RingSpec& spec);

/// Appends the forward ring of all layers, K/V travelling: N steps, N - 1 shifts a layer.
void append_ring_forward(Program& program, const RingSpec& spec);
/// Appends the backward ring of all layers in reverse, K/V and dK/dV travelling: N - 1 shifts of K/V, N of dK/dV, the last of
/// which brings dK/dV home.
void append_ring_backward_kv(Program& program, const RingSpec& spec);
/// Appends the backward ring in which Q, dO, the statistics and dQ travel and K/V stay.
void append_ring_backward_q(Program& program, const RingSpec& spec);

/// The program of a scenario: forward for prefill; forward, then backward, for train.
[[nodiscard]] Program ring_program_of(const Scenario& scenario);
[[nodiscard]] Program ring_program_of(const RingSpec& spec, bool forward, bool backward);

}  // namespace ringsim::sim
