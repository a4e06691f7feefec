#pragma once
// Fits the links of a class to hops of several sizes: time = α + T(bytes), T linear between knots at measured sizes
// (LinkCost::by_size): at all of them, or at the up to 12 that describe the others within 2 % (knots.hpp).
//
// The medians of hops of one size are joined, and made non-decreasing (isotonic.hpp), weighted by their samples: a larger
// message that seems faster is scatter. α is where the line through the two smallest sizes meets 0 bytes, or, where that line is
// flatter than the flattest from the smallest size to another, where the latter does; at least 0. Efficiency is bytes / (T·nominal), of
// the largest message for LinkCost::efficiency.
//
// Uncertainty, 95 %: of the efficiency the widest of the larger half of the sizes' intervals of the median, joined with
// what isotonic regression moved; of α that of the smallest size, as a part of α.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct LinkFit {
  LinkCost cost;
  Bandwidth nominal;  // that the efficiencies refer to
  FitReport report;
  std::vector<std::string> notes;
};

/// How many knots a curve may have, and how far from a size it may pass.
struct KnotLimits {
  double tolerance = 0.02;  // relative
  std::size_t most = 12;
};

/// `points`: not empty, all of one link class. Without `nominal` it is the best bytes / T seen.
[[nodiscard]] LinkFit fit_link(const std::vector<TransferPoint>& points, std::optional<Bandwidth> nominal,
                               Origin origin, const std::string& source, KnotLimits knots = {});

}  // namespace ringsim::calibrate
