#pragma once
// Which side of the forward ring is cheaper to move, by bytes: K/V of all tokens, or Q of the new ones (pass-Q; Yang et al.,
// Context Parallelism for Scalable Million-Token Inference, arXiv 2411.01783).
//
// T new tokens after P cached ones, N ranks; a rank sends, in the N - 1 hops and the all-to-all of the partial outputs,
//   pass-KV   (N - 1)/N · (T + P) · kv              kv = b·G·(Dqk + Dv)·e
//   pass-Q    (N - 1)/N · T · (q + o)               q = b·H·Dqk·e, o = b·H·(Dv·e + 4)
// so that Q is the cheaper one below a share T/(T + P) of new tokens, whatever N. Hops hide behind computation and the
// all-to-all does not; that is for the simulation to weigh.

#include "models/cost.hpp"

#include <cstdint>

namespace ringsim {

/// T/(T + P) below which the hops of Q move less than those of K/V: 2G/H with equal dimensions.
[[nodiscard]] double pass_q_share_of_hops(const RingShape& shape);
/// The same with the all-to-all of the partial outputs: 2GDe / (H(2De + 4)).
[[nodiscard]] double pass_q_share(const RingShape& shape);

/// What moves fewer bytes in all; K/V where both move as many.
[[nodiscard]] Rotation cheaper_to_move(const RingShape& shape, std::int64_t tokens, std::int64_t cached);

}  // namespace ringsim
