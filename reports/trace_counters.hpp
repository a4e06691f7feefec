#pragma once
// What the links of a timeline's ranks carry, as steps: a hop has the rate bytes/(end - start) while it is in flight, and hops that are
// in flight together add up. Between hops it is 0. Rates are whole bytes/s, so that sums come back to 0 exactly.
//
// Not here: collectives and sends to other stages, whose share of a link a timeline does not say.

#include "sim/spans.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ringsim::reports {

/// From a time on, until the next one.
struct RateStep {
  std::int64_t at_ns = 0;
  std::int64_t bytes_per_s = 0;
  friend bool operator==(const RateStep&, const RateStep&) = default;
};

struct LinkRates {
  std::map<std::int64_t, std::vector<RateStep>> by_rank;  // all outgoing hops of a rank
  std::map<std::string, std::vector<RateStep>>
      by_link_class;  // sums over the timeline's ranks, where classes are known
};

[[nodiscard]] LinkRates link_rates(const sim::Timeline& timeline);

}  // namespace ringsim::reports
