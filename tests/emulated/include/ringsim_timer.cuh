#pragma once
// Clocks of a GPU as kernels read them; the emulated side of kernels/cuda/include/ringsim_timer.cuh.

#include "tests/emulated/runtime.hpp"

#include <cstdint>

namespace ringsim::cuda {

inline std::uint64_t global_time_ns() { return emulated::timer_ns(); }
inline std::int64_t sm_cycles() { return emulated::timer_cycles(); }
inline void pause_ns(unsigned nanoseconds) { emulated::timer_sleep(nanoseconds); }

}  // namespace ringsim::cuda
