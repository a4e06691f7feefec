#pragma once
// Why a run takes as long as it does: its critical path, the cycle that its steady state goes round in, where the time on the path goes, and
// what a change of each parameter would do.

#include "models/scenario.hpp"
#include "sim/critical/explanation.hpp"

#include <cstdint>

namespace ringsim::sim {

struct ExplainOptions {
  std::uint64_t seed = 0;
  bool what_if = true;  // run again with every parameter changed: Sensitivity::saved_by_*
};

/// By the recurrence, of the ring that ends last. Throws Error where the recurrence cannot run the scenario, or the run is too long to be
/// written down.
[[nodiscard]] Explanation explain(const Scenario& scenario, const ExplainOptions& options = {});

}  // namespace ringsim::sim
