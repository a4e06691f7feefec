#pragma once
// B_min: the smallest block of tokens a rank above which a ring hop hides behind the computation of a step, for every
// larger block as well (physics: "One step, and B_min").
//
//   datasheet   closed form with peak F and W:  bytes a token · F / (W · FLOP a token pair · share of the block computed)
//   calibrated  T_compute(B) >= T_hop(B) with the profile, searched from above; each alone: interference, which slows both
//               down, and the contest for SMs are left to the simulated one
//   simulated   the engine's steady step is at most 1 % (datasheet profile: 1e-9) above its compute; see sim/bmin.hpp

#include "models/cost.hpp"
#include "models/layout.hpp"
#include "models/plan.hpp"
#include "models/transformer.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim {

/// What B_min depends on besides the hardware.
struct BlockMinimum {
  std::optional<double> tokens;  // absent: no block hides the hop up to the search limit
  std::string reason;            // why absent
};

/// Steady share of a full B × B block that a rank computes in one step under `mask`: 1, or 1/2 where a causal mask is
/// balanced over ranks (striped, zigzag).
[[nodiscard]] double steady_share(Layout layout, bool causal);

/// Bytes that one token of a travelling block costs on the wire in a steady step of the pass.
[[nodiscard]] Bytes steady_bytes_per_token(const RingShape& shape, Pass pass);

/// Closed form at rate F and bandwidth W [tokens], not rounded.
[[nodiscard]] double block_minimum_closed_form(const RingShape& shape, Pass pass, double share, FlopRate f,
                                               Bandwidth w);

/// With the profile's cost curves: the smallest B above which the steady compute of the slowest rank is at least the
/// hop's time for all larger B [tokens, real-valued]. Searched from 2^26 tokens downwards in steps of 1 %, then by
/// bisection: a band of exposed blocks narrower than 1 % above the result would not be seen.
[[nodiscard]] BlockMinimum block_minimum_calibrated(const RingShape& shape, Pass pass, double share,
                                                    const CostModel& costs, const HopCost& slowest_hop);

}  // namespace ringsim
