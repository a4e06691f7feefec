#pragma once
// Fits collectives of one kind, number of ranks and class of links: time = latency + T(traffic), where traffic is what a rank
// sends by the ring algorithm (models/collective.hpp), as a hop of that many bytes is fitted (links.hpp). Up to 6 knots, which
// follow the sizes within 5 %: where a library changes its protocol the rate jumps, and two numbers cannot say so.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <map>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct CollectivesFit {
  std::vector<CollectiveCost> costs;  // by kind, link class and ranks
  std::vector<FitReport> reports;     // one each
  std::vector<std::string> notes;
};

/// `nominal` by link class; absent: the best rate seen, with a note.
[[nodiscard]] CollectivesFit fit_collectives(const std::vector<CollectivePoint>& points,
                                             const std::map<std::string, Bandwidth>& nominal, Origin origin,
                                             const std::string& source);

}  // namespace ringsim::calibrate
