#pragma once
// Fits the rate R of merges: time = τ + least bytes / R over all accumulators, least squares on log(predicted / measured).
// merge_traffic is 1: points of whole merges do not tell traffic from bandwidth, and R is what they do give.
// Uncertainty as of the attention rate: √((t·standard error)² + scatter²), 95 %.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <string>
#include <vector>

namespace ringsim::calibrate {

struct MergeFit {
  Calibrated<double> traffic;
  Calibrated<Bandwidth> bandwidth;
  FitReport report;
  std::vector<std::string> notes;
};

/// `points` is not empty. `launch` is τ.
[[nodiscard]] MergeFit fit_merge(const std::vector<MergePoint>& points, Duration launch, Origin origin,
                                 const std::string& source);

}  // namespace ringsim::calibrate
