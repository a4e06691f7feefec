#pragma once
// The picture of published measurements against their predictions.

#include "calibrate/suite/suite.hpp"
#include "reports/charts/chart.hpp"

namespace ringsim::reports {

/// The scored rows of every set, by the whole model.
[[nodiscard]] ScatterChart suite_scatter(const calibrate::SuiteResult& result);

}  // namespace ringsim::reports
