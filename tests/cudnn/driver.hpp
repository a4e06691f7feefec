#pragma once
// cuDNN wants a libcuda to be there even where it is only asked about a device. Opened first, ours
// (tests/cudnn_driver) is found by its name when cuDNN looks for libcuda.so.1, and takes kernels. Where it was not
// built the machine's driver will do, or the toolkit's stub, which refuses every call.

#include <dlfcn.h>

#include <string>

namespace ringsim::cuda {

struct TestDriver {
  std::string why_not;                     // empty: one of them is open
  const char* (*last_kernel)() = nullptr;  // of ours alone
  int (*loaded_libraries)() = nullptr;     // of ours alone
  [[nodiscard]] bool takes_kernels() const { return last_kernel != nullptr; }
};

inline TestDriver open_test_driver() {
  TestDriver driver;
#ifdef RINGSIM_TEST_DRIVER
  void* ours = dlopen(RINGSIM_TEST_DRIVER, RTLD_NOW | RTLD_GLOBAL);
  if (ours == nullptr) {
    driver.why_not = std::string("the driver for tests does not load: ") + dlerror();
    return driver;
  }
  driver.last_kernel = reinterpret_cast<const char* (*)()>(dlsym(ours, "ringsim_last_kernel"));
  driver.loaded_libraries = reinterpret_cast<int (*)()>(dlsym(ours, "ringsim_loaded_libraries"));
  return driver;
#else
  if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL) != nullptr) return driver;
#ifdef RINGSIM_CUDA_LIBRARY_FOLDER
  if (dlopen(RINGSIM_CUDA_LIBRARY_FOLDER "/stubs/libcuda.so", RTLD_NOW | RTLD_GLOBAL) != nullptr) return driver;
#endif
  driver.why_not = std::string("there is neither a driver nor the toolkit's stub of it: ") + dlerror();
  return driver;
#endif
}

}  // namespace ringsim::cuda
