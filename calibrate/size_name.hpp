#pragma once
// Sizes in names of benchmarks.

#include <fmt/format.h>

#include <cstddef>
#include <string>

namespace ringsim::calibrate {

/// "256 B", "64 KiB", "4 MiB"
[[nodiscard]] inline std::string size_name(std::size_t bytes) {
  return bytes < 1024                    ? fmt::format("{} B", bytes)
         : bytes < std::size_t{1} << 20U ? fmt::format("{} KiB", bytes >> 10U)
                                         : fmt::format("{} MiB", bytes >> 20U);
}

}  // namespace ringsim::calibrate
