#pragma once
// The host's clock.

#include <chrono>

namespace ringsim::cuda {

/// Seconds of a clock that only goes forward.
[[nodiscard]] inline double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace ringsim::cuda
