#pragma once
// The one definition of a quantile here: linear between order statistics, the smallest at `part` 0 and the largest at 1
// (Hyndman and Fan, "Sample Quantiles in Statistical Packages", The American Statistician 50 (1996): type 7, the default of R,
// NumPy and spreadsheets).
//
//   place = part · (n − 1);   x₍⌊place⌋₎ + (place − ⌊place⌋) · (x₍⌊place⌋+1₎ − x₍⌊place⌋₎), counted from 0
//
// So the 0.95 quantile of fewer than 20 samples, and the 0.99 quantile of fewer than 100, lies between the two largest.

#include <span>
#include <vector>

namespace ringsim {

/// Of ascending samples, at least one. `part` is taken into [0, 1].
[[nodiscard]] double quantile_of_sorted(std::span<const double> ascending, double part);
/// Of samples in any order. Throws Error where there are none.
[[nodiscard]] double quantile(std::vector<double> samples, double part);

}  // namespace ringsim
