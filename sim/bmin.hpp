#pragma once
// The simulated B_min: the smallest block from which the engine's steady step is no longer than its compute, for every larger
// block tried. The steady step is the mean increment of the steps in the second half of a ring pass, over an even number of
// steps because a contest for SMs makes them alternate; the tolerance is 1 % (1e-9 with the datasheet profile).

#include "models/bmin.hpp"
#include "sim/machine.hpp"
#include "sim/prediction.hpp"
#include "sim/schedules/ring.hpp"

namespace ringsim::sim {

/// What a probe needs: the shape of the ring, without its length.
struct BlockProbe {
  RingShape shape;
  Layout layout = Layout::zigzag;
  bool causal = true;
  std::int64_t buffers = 2;
  Pass pass = Pass::forward;
};

/// Mean steady step and compute of the slowest rank, for a block of `block` tokens [s].
struct SteadyStep {
  double step_s = 0;
  double compute_s = 0;
};
[[nodiscard]] SteadyStep steady_step(const BlockProbe& probe, const Machine& machine, std::int64_t block);

/// Searched downwards from 2^24 tokens a rank in steps of 5 %, then by bisection to a whole block (an even one for zigzag).
/// Short rings are repeated to at least 16 ranks and long ones cut to 64 around their slowest hop: what decides is the
/// slowest hop and the slowest rank, not how many there are.
[[nodiscard]] BlockMinimum block_minimum_simulated(const BlockProbe& probe, const Machine& machine);

/// All values of one pass and layout; the simulated one only where `simulate`.
[[nodiscard]] BlockMinima block_minima(const BlockProbe& probe, const Machine& machine, const Scenario& scenario,
                                       bool simulate);

/// `bmin`'s table: contiguous without and with a causal mask, striped and zigzag causal; all simulated.
[[nodiscard]] std::vector<LayoutMinima> layout_minima(const Scenario& scenario);

}  // namespace ringsim::sim
