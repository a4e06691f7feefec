#pragma once
// Launching kernels: functions that every emulated thread of a grid calls, with the arguments as they were at the launch.

#include "tests/emulated/include/emulated_cuda/types.hpp"

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ringsim::emulated {

/// Defined in tests/emulated/runtime_launch.cpp. `kernel` is the address that attributes are set for.
cudaError_t launch(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> thread);
cudaError_t set_attribute(const void* kernel, cudaFuncAttribute attribute, int value);
cudaError_t resident_blocks(int* blocks, int threads, std::size_t dynamic_shared_bytes);

template <class Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

}  // namespace ringsim::emulated

template <class... Expected, class... Actual>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Expected...), Actual&&... arguments) {
  std::tuple<std::remove_cv_t<Expected>...> kept(std::forward<Actual>(arguments)...);
  return ringsim::emulated::launch(*config, ringsim::emulated::address_of(kernel),
                                   [kernel, kept = std::move(kept)] { std::apply(kernel, kept); });
}

template <class Function>
cudaError_t cudaFuncSetAttribute(Function* kernel, cudaFuncAttribute attribute, int value) {
  return ringsim::emulated::set_attribute(ringsim::emulated::address_of(kernel), attribute, value);
}

/// By threads and shared memory; registers are not known.
template <class Function>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Function*, int threads,
                                                          std::size_t dynamic_shared_bytes) {
  return ringsim::emulated::resident_blocks(blocks, threads, dynamic_shared_bytes);
}
