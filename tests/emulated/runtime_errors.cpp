// Errors: codes, their names, and the sentence that explains the latest one.

#include "tests/emulated/include/cuda_runtime.h"
#include "tests/emulated/runtime_state.hpp"

#include <utility>

namespace {

std::pair<const char*, const char*> words(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return {"cudaSuccess", "no error"};
    case cudaErrorInvalidValue:
      return {"cudaErrorInvalidValue", "invalid argument"};
    case cudaErrorMemoryAllocation:
      return {"cudaErrorMemoryAllocation", "out of memory"};
    case cudaErrorInitializationError:
      return {"cudaErrorInitializationError", "initialization error"};
    case cudaErrorInvalidConfiguration:
      return {"cudaErrorInvalidConfiguration", "invalid configuration argument"};
    case cudaErrorInsufficientDriver:
      return {"cudaErrorInsufficientDriver", "CUDA driver version is insufficient for CUDA runtime version"};
    case cudaErrorInvalidDeviceFunction:
      return {"cudaErrorInvalidDeviceFunction", "invalid device function"};
    case cudaErrorNoDevice:
      return {"cudaErrorNoDevice", "no CUDA-capable device is detected"};
    case cudaErrorInvalidDevice:
      return {"cudaErrorInvalidDevice", "invalid device ordinal"};
    case cudaErrorPeerAccessUnsupported:
      return {"cudaErrorPeerAccessUnsupported", "peer access is not supported between these two devices"};
    case cudaErrorInvalidResourceHandle:
      return {"cudaErrorInvalidResourceHandle", "invalid resource handle"};
    case cudaErrorNotReady:
      return {"cudaErrorNotReady", "device not ready"};
    case cudaErrorIllegalAddress:
      return {"cudaErrorIllegalAddress", "an illegal memory access was encountered"};
    case cudaErrorLaunchOutOfResources:
      return {"cudaErrorLaunchOutOfResources", "too many resources requested for launch"};
    case cudaErrorPeerAccessAlreadyEnabled:
      return {"cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"};
    case cudaErrorLaunchFailure:
      return {"cudaErrorLaunchFailure", "unspecified launch failure"};
    case cudaErrorNotPermitted:
      return {"cudaErrorNotPermitted", "operation not permitted"};
    case cudaErrorNotSupported:
      return {"cudaErrorNotSupported", "operation not supported"};
    case cudaErrorStreamCaptureUnsupported:
      return {"cudaErrorStreamCaptureUnsupported", "operation not permitted when stream is capturing"};
    case cudaErrorStreamCaptureInvalidated:
      return {"cudaErrorStreamCaptureInvalidated", "operation failed due to a previous error during capture"};
    case cudaErrorStreamCaptureMerge:
      return {"cudaErrorStreamCaptureMerge", "operation would result in a merge of separate capture sequences"};
    case cudaErrorStreamCaptureUnmatched:
      return {"cudaErrorStreamCaptureUnmatched", "capture was not ended in the same stream as it began"};
    case cudaErrorStreamCaptureUnjoined:
      return {"cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work"};
    case cudaErrorStreamCaptureIsolation:
      return {"cudaErrorStreamCaptureIsolation", "dependency created on uncaptured work in another stream"};
    case cudaErrorStreamCaptureImplicit:
      return {"cudaErrorStreamCaptureImplicit",
              "operation would make the legacy stream depend on a capturing blocking stream"};
    case cudaErrorCapturedEvent:
      return {"cudaErrorCapturedEvent", "operation not permitted on an event last recorded in a capturing stream"};
    case cudaErrorUnknown:
      break;
  }
  return {"cudaErrorUnknown", "unknown error"};
}

}  // namespace

const char* cudaGetErrorName(cudaError_t error) { return words(error).first; }

const char* cudaGetErrorString(cudaError_t error) {
  static std::string text;
  const ringsim::emulated::Machine& machine = ringsim::emulated::machine();
  text = words(error).second;
  if (error != cudaSuccess && error == machine.last_error && !machine.problem.empty()) text += ": " + machine.problem;
  return text.c_str();
}

cudaError_t cudaGetLastError() {
  ringsim::emulated::Machine& machine = ringsim::emulated::machine();
  return machine.failed ? machine.failed->code : std::exchange(machine.last_error, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
  const ringsim::emulated::Machine& machine = ringsim::emulated::machine();
  return machine.failed ? machine.failed->code : machine.last_error;
}
