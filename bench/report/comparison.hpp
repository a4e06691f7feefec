#pragma once
// Two runs side by side, as text.

#include "bench/report/run_file.hpp"

#include <string>

namespace ringsim::bench {

/// Whether the machines are alike; a line a benchmark of both, with the ratios that it has counted; then the names of those that only
/// one has, or that failed. Ends with a line break.
[[nodiscard]] std::string comparison_of(const Run& before, const Run& after);

}  // namespace ringsim::bench
