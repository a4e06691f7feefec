#pragma once
// What a measurement must say about where and when it was made.

#include <string>

namespace ringsim::calibrate {

/// Model of the CPU and number of cores: "AMD EPYC 9B45, 2 cores". "unknown CPU" where the system does not say.
[[nodiscard]] std::string machine_name();

/// "g++ 12.2.0", "clang++ 19.1.7".
[[nodiscard]] std::string compiler_name();

/// ISO 8601, to the second: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();

}  // namespace ringsim::calibrate
