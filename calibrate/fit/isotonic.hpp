#pragma once
// The non-decreasing sequence nearest to given values: pool adjacent violators (Ayer et al., Annals of Mathematical
// Statistics 26, 1955). Neighbours that fall are replaced by their weighted mean until none falls.

#include <vector>

namespace ringsim::calibrate {

/// `weights` above 0, one a value; means are geometric, as befits times whose errors are relative. Values above 0.
[[nodiscard]] std::vector<double> isotonic(const std::vector<double>& values, const std::vector<double>& weights);

}  // namespace ringsim::calibrate
