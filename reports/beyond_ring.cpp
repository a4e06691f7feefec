#include "reports/beyond_ring.hpp"

#include <algorithm>

namespace ringsim::reports {

bool has_collectives(const sim::Prediction& p) {
  return std::any_of(p.traffic.begin(), p.traffic.end(), [](const auto& t) { return t.kind != "hop"; });
}

bool beyond_ring(const sim::Prediction& p, const Scenario& s) {
  const Parallel& plan = s.parallel;
  const bool plain_plan = plan.ulysses == 1 && plan.pipeline == 1 && plan.expert == 1 && plan.decode_context == 1 &&
                          s.ring.exchange == Exchange::one_way;
  const bool plain_run = p.scope != "model" && p.phase != "decode" && !has_collectives(p) && p.stages == 1;
  return !plain_plan || !plain_run || p.serving || p.documents || p.largest_context_tokens || p.energy_joules;
}

}  // namespace ringsim::reports
