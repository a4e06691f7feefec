// Running tiles of ranks through many steps changes no bit, whatever the ring, the tiles and the threads.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

RC_GTEST_PROP(Tiles, AreTheRingBitForBit, ()) {
  Ring ring = rings::any_ring();
  if (rings::coin()) ring.tokens = 2 * ring.ranks;  // even blocks: most loops are tiled
  if (rings::coin()) ring.hop_factor.clear();
  if (rings::coin()) ring.slowdown.clear();
  if (rings::coin()) ring.start_s.clear();
  const rings::Passes passes = rings::any_passes();
  RingSpec spec = ring.spec();
  if (rings::coin()) spec.shape.travels = Rotation::q;
  const Program program = ring_program_of(spec, passes != rings::Passes::backward, passes != rings::Passes::forward);
  const Machine machine = ring.machine();
  RecurrenceEngine engine(program, machine);
  const RunResult plain = engine.run(nullptr, run_in_full());
  const auto runs = *rc::gen::inRange(1, 4);
  for (int i = 0; i < runs; ++i) {
    RunOptions options;
    options.tile_shape = {*rc::gen::inRange<std::int64_t>(1, 80), *rc::gen::inRange<std::int64_t>(1, 80)};
    options.extrapolate = false;
    options.threads = *rc::gen::inRange(1, 5);
    const RunResult tiled = engine.run(nullptr, options);
    RC_ASSERT(tiled.end_s == plain.end_s);
    RC_ASSERT(tiled.makespan_s == plain.makespan_s);
  }
}

}  // namespace
}  // namespace ringsim::sim
