#pragma once
// Which runs have more to report than a ring of attention: those get the sections, keys and columns of the whole model, all of
// them, so that runs of one kind have the same keys and columns; a ring of attention alone keeps what it has always had.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

namespace ringsim::reports {

[[nodiscard]] bool beyond_ring(const sim::Prediction& prediction, const Scenario& scenario);

/// Whether anything but the hops of a ring travels.
[[nodiscard]] bool has_collectives(const sim::Prediction& prediction);

/// Tokens that a run works on or generates, of all sequences.
[[nodiscard]] inline double tokens_of_run(const sim::Prediction& p) { return p.tokens_per_s * p.makespan_s; }

}  // namespace ringsim::reports
