#pragma once
// cuDNN wants a libcuda to be there even where it is only asked about a device. Where there is none, the toolkit's stub, which
// refuses every call, is enough: opened first, it is found by its name when cuDNN looks for libcuda.so.1.

#include <dlfcn.h>

#include <string>

namespace ringsim::cuda {

/// Empty: a driver or a stub is open; else why not.
inline std::string open_driver_or_stub() {
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL) != nullptr) return {};
#ifdef RINGSIM_CUDA_LIBRARY_FOLDER
  if (dlopen(RINGSIM_CUDA_LIBRARY_FOLDER "/stubs/libcuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr) return {};
#endif
  return std::string("there is neither a driver nor the toolkit's stub of it: ") + dlerror();
}

}  // namespace ringsim::cuda
