// The engine has a fused form and one that observers see, and may be run again: all must give the same bits.
#include "tests/property/sim_random_ring.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace ringsim::sim {
namespace {

using rings::Ring;

RC_GTEST_PROP(EngineForms, ObservedFusedAndRepeatedRunsAreEqualBitForBit, ()) {
  Ring ring = rings::any_ring();
  rings::disturb(ring);
  if (rings::coin()) ring.hop_factor.clear();  // equal hops take another path
  if (rings::coin()) ring.slowdown.clear();
  if (rings::coin()) ring.start_s.clear();
  const Program program = program_of(ring, rings::any_passes());
  const Machine machine = ring.machine();
  RecurrenceEngine engine(program, machine);
  rings::Recorder log;
  const std::vector<double> fused = engine.run().end_s;
  RC_ASSERT(engine.run(&log).end_s == fused);
  RC_ASSERT(engine.run().end_s == fused);
  rings::Recorder again;
  Observers both({&again, &log});
  RC_ASSERT(engine.run(&both).end_s == fused);
  RC_ASSERT(2 * again.computes.size() == log.computes.size());
}

// A window makes the costs of every step different and no table is kept: an endless window must still give what no
// window gives.
RC_GTEST_PROP(EngineForms, AWindowAsLongAsTheSequenceChangesNothing, ()) {
  const Ring ring = rings::any_ring();
  const rings::Passes passes = rings::any_passes();
  RingSpec spec = ring.spec();
  spec.masks[0].window = ring.tokens;
  const Program program = ring_program_of(spec, passes != rings::Passes::backward, passes != rings::Passes::forward);
  const Machine machine = ring.machine();
  RC_ASSERT(RecurrenceEngine(program, machine).run().end_s == run(ring, passes).end_s);
}

}  // namespace
}  // namespace ringsim::sim
