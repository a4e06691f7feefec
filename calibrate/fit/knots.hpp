#pragma once
// Which of many measured sizes to keep as knots of a curve T(bytes) that is linear between them.
//
// Greedy: the smallest and the largest size first, then time after time the size that the curve so far misses by most, until
// every size is met within `tolerance` or `most` sizes are kept (the idea of Douglas and Peucker, Canadian Cartographer 10,
// 1973, on relative errors). What is kept is a part of what was measured, so a curve that rises still rises.

#include <cstddef>
#include <vector>

namespace ringsim::calibrate {

/// Indices into `sizes`, ascending. `sizes` ascend strictly, `times_s` are above 0, and errors are counted relative to
/// times_s[i] + fixed_s, since that is what a message takes in the end.
[[nodiscard]] std::vector<std::size_t> knots_of(const std::vector<double>& sizes, const std::vector<double>& times_s,
                                                double fixed_s, double tolerance, std::size_t most);

}  // namespace ringsim::calibrate
