#pragma once
// Which cluster of the library a measured GPU is likely part of.

#include <string>
#include <string_view>

namespace ringsim::cli {

/// The first cluster whose GPU's description begins with the first two words of `machine`: of "NVIDIA H200, 132 SMs, 150 GB"
/// hgx-h200. Empty where there is none.
[[nodiscard]] std::string cluster_of_gpu(std::string_view machine);

}  // namespace ringsim::cli
