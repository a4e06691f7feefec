// A libcuda for tests on machines without one: it has just the functions that cuDNN calls while it builds a plan for a
// device that is only described, and takes any kernel that cuDNN has compiled. Nothing can be executed with it. To be
// built as libcuda.so.1.
//
// The prototypes are those of cuda.h, with pointers to void for the driver's own types.

#include <cstring>

namespace {

char last_kernel[512];  // NOLINT: C functions carry no state
int loaded = 0;         // NOLINT

/// An address that stands for a thing of the driver.
void* token() {
  static char something = 0;
  return &something;
}

}  // namespace

extern "C" {

/// For tests: the name of the latest kernel that was asked for; how many libraries of kernels were loaded so far.
const char* ringsim_last_kernel() { return last_kernel; }
int ringsim_loaded_libraries() { return loaded; }

int cuInit(unsigned /*flags*/) { return 0; }

/// Refused rather than answered with 0: told that there is no device, cuDNN does not load the kernels that it has
/// compiled.
int cuDeviceGetCount(int* /*count*/) { return 801; /* CUDA_ERROR_NOT_SUPPORTED */ }

int cuLibraryLoadData(void** library, const void* /*code*/, void*, void*, unsigned, void*, void*, unsigned) {
  ++loaded;
  *library = token();
  return 0;
}

int cuLibraryGetKernel(void** kernel, void* /*library*/, const char* name) {
  std::strncpy(last_kernel, name, sizeof last_kernel - 1);
  *kernel = token();
  return 0;
}

int cuLibraryUnload(void* /*library*/) { return 0; }

int cuGetErrorString(int /*error*/, const char** text) {
  *text = "a function that this driver for tests does not have";
  return 0;
}

int cuGetErrorName(int /*error*/, const char** text) {
  *text = "CUDA_ERROR_NOT_SUPPORTED";
  return 0;
}

// cuDNN and its compiler, NVRTC, look these up, and complain or crash where they are missing. Before anything is
// executed they call none of them but those whose refusal they can do with.
#define RINGSIM_REFUSED(name) \
  int name() { return 801; /* CUDA_ERROR_NOT_SUPPORTED */ }
RINGSIM_REFUSED(cuCtxGetCurrent)
RINGSIM_REFUSED(cuCtxGetDevice)
RINGSIM_REFUSED(cuCtxGetLimit)
RINGSIM_REFUSED(cuCtxPopCurrent)
RINGSIM_REFUSED(cuCtxPushCurrent)
RINGSIM_REFUSED(cuDeviceGet)
RINGSIM_REFUSED(cuDeviceGetAttribute)
RINGSIM_REFUSED(cuDevicePrimaryCtxRelease)
RINGSIM_REFUSED(cuDevicePrimaryCtxReset)
RINGSIM_REFUSED(cuDevicePrimaryCtxRetain)
RINGSIM_REFUSED(cuDriverGetVersion)
RINGSIM_REFUSED(cuFuncGetAttribute)
RINGSIM_REFUSED(cuFuncSetAttribute)
RINGSIM_REFUSED(cuGetExportTable)
RINGSIM_REFUSED(cuKernelGetAttribute)
RINGSIM_REFUSED(cuKernelSetAttribute)
RINGSIM_REFUSED(cuLaunchCooperativeKernel)
RINGSIM_REFUSED(cuLaunchKernel)
RINGSIM_REFUSED(cuLaunchKernelEx)
RINGSIM_REFUSED(cuLibraryLoadFromFile)
RINGSIM_REFUSED(cuLinkAddData)
RINGSIM_REFUSED(cuLinkAddData_v2)
RINGSIM_REFUSED(cuLinkAddFile_v2)
RINGSIM_REFUSED(cuLinkComplete)
RINGSIM_REFUSED(cuLinkCreate)
RINGSIM_REFUSED(cuLinkCreate_v2)
RINGSIM_REFUSED(cuLinkDestroy)
RINGSIM_REFUSED(cuMemcpyDtoH_v2)
RINGSIM_REFUSED(cuModuleGetFunction)
RINGSIM_REFUSED(cuModuleGetGlobal_v2)
RINGSIM_REFUSED(cuModuleLoadData)
RINGSIM_REFUSED(cuModuleLoadDataEx)
RINGSIM_REFUSED(cuModuleLoadFatBinary)
RINGSIM_REFUSED(cuModuleUnload)
RINGSIM_REFUSED(cuOccupancyMaxActiveBlocksPerMultiprocessor)
RINGSIM_REFUSED(cuOccupancyMaxPotentialClusterSize)
RINGSIM_REFUSED(cuStreamGetCtx)
RINGSIM_REFUSED(cuStreamSynchronize)
RINGSIM_REFUSED(cuTensorMapEncodeTiled)
#undef RINGSIM_REFUSED
}
