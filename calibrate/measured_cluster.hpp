#pragma once
// A cluster with the peaks that were measured on it.

#include "calibrate/points.hpp"
#include "models/device.hpp"
#include "models/quantity.hpp"

#include <map>
#include <string>

namespace ringsim::calibrate {

/// `cluster` with, as far as there are points: the best rate of matrix products as the peak of their number format, the best of copies as the
/// bandwidth of memory, and the bandwidth inside a node that the fits took as nominal for its class of links.
[[nodiscard]] Cluster measured_cluster(Cluster cluster, const Points& points,
                                       const std::map<std::string, Bandwidth>& nominal);

}  // namespace ringsim::calibrate
