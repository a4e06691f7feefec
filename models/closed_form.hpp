#pragma once
// Makespans of one layer's ring in closed form, for ranks in lockstep (physics: §2 and §7).
//
// c0, c, cl: compute of the first, every middle and the last step of the rank that computes longest at each of them;
// T: hop of the slowest link. All in seconds; N ranks.
//
//   forward, two buffers    max(c0, T) + (N - 2) · max(c, T) + cl
//   forward, three buffers  max(c0 + (N - 2)·c, (N - 1)·T, c0 + (N - 3)·T, T + (N - 2)·c) + cl
//       the longest path through steps and hops in which hop k waits for hop k - 1 and for the compute of step k - 2;
//       every other path is a mean of these
//   backward                max(c0, T0) + (N - 2)·(max(c, T) + a) + max(cl, Tl) + al + Th
//       a: adding to the travelling gradient, after kernel and arrival; T0 operands alone, T operands and gradient,
//       Tl gradient alone, Th gradient on its way home
//
// A ring of one has neither hops nor merges: c0.
//
// Where kernels and incoming hops slow each other down (models/rate_shares.hpp), *identical* ranks with two buffers start
// both together at every step, so that each max(c, T) becomes  max(c + (1 - φ)·o, T + (1 - ψ)·o),  o = min(c/φ, T/ψ).
//
// With a contest for SMs between *identical* ranks everything follows from d, by how much the transfer is ready after the
// step's kernel (both relative to the kernel's start; ε the event latency, w the kernel, m the merge after it, C = w + m):
//
//   f    = d where d <= 0 or d >= C; w where 0 < d < w; C where w < d < C      the transfer gets the SMs (kernel_log.hpp)
//   step = max(C, f + T + ε)                                                   the next kernel's start
//   d'   = max(f + T, C + ε) - step
//
// so d is a scalar that starts at ε and soon repeats: compute-bound rings alternate between two values (one step takes the
// sum of kernel and hop, the next their maximum), transfer-bound ones stay at -ε. Whole periods are then multiplied. In the
// backward ring each hop carries what the step before added up, so d = ε at every step and every kernel is ahead of its hop.

#include "models/quantity.hpp"
#include "models/rate_shares.hpp"

#include <cstdint>

namespace ringsim {

struct ForwardTimes {
  Duration first, middle, last;  // compute of a step: kernel and merge
  Duration hop;
};
/// Shares other than 1 with two buffers only.
[[nodiscard]] Duration forward_makespan(std::int64_t ring, std::int64_t buffers, const ForwardTimes& t,
                                        RateShares shares = {});

struct BackwardTimes {
  Duration first, middle, last;   // kernel and the addition to the resident gradient
  Duration middle_add, last_add;  // addition to the travelling gradient
  Duration first_hop, middle_hop, last_hop, home_hop;
};
[[nodiscard]] Duration backward_makespan(std::int64_t ring, const BackwardTimes& t, RateShares shares = {});

/// The forward ring of identical ranks with two buffers under the contest for SMs.
struct ContestedForwardTimes {
  Duration first_kernel, kernel, merge;
  Duration hop;
  Duration event_latency;
};
[[nodiscard]] Duration contested_forward_makespan(std::int64_t ring, const ContestedForwardTimes& t);

struct ContestedBackwardTimes {
  Duration first_kernel, kernel, resident_merge, travelling_merge;
  Duration first_hop, middle_hop, last_hop, home_hop;
  Duration event_latency;
};
[[nodiscard]] Duration contested_backward_makespan(std::int64_t ring, const ContestedBackwardTimes& t);

}  // namespace ringsim
