#include "reports/beyond_ring.hpp"

namespace ringsim::reports {

bool beyond_ring(const sim::Prediction& p, const Scenario& s) {
  const Parallel& plan = s.parallel;
  const bool plain_plan = plan.ulysses == 1 && plan.pipeline == 1 && plan.expert == 1 && plan.decode_context == 1 &&
                          s.ring.exchange == Exchange::one_way;
  const bool plain_run = p.scope != "model" && p.phase != "decode" && p.traffic.empty() && p.stages == 1;
  return !plain_plan || !plain_run || p.serving || p.documents || p.largest_context_tokens || p.energy_joules;
}

bool rotates(const sim::Prediction& p, const Scenario& s) {
  return p.ring_size > 1 && s.ring.exchange != Exchange::all_gather && s.workload.phase != Phase::decode;
}

}  // namespace ringsim::reports
