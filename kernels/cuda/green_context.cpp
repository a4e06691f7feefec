#include "kernels/cuda/green_context.hpp"

#include "kernels/cuda/dynamic/driver.hpp"

#include <string>

namespace ringsim::cuda {

#if RINGSIM_HAS_DRIVER_HEADER

struct GreenContext::State {
  explicit State(const DriverLibrary& driver) : library(driver) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (stream != nullptr) static_cast<void>(cudaStreamDestroy(stream));
    if (context != nullptr) static_cast<void>(library.green_ctx_destroy(context));
  }

  const DriverLibrary& library;
  CUgreenCtx context = nullptr;
  CUstream stream = nullptr;
  int sms = 0;
};

GreenContext::GreenContext(int device, int sms) : GreenContext(device, sms, driver_library()) {}

GreenContext::GreenContext(int device, int sms, const DriverLibrary& library)
    : state_(std::make_unique<State>(library)) {
  CUdevice handle = 0;
  check(library, library.device_get(&handle, device), "cuDeviceGet");
  CUdevResource all{};
  check(library, library.device_get_dev_resource(handle, &all, CU_DEV_RESOURCE_TYPE_SM), "cuDeviceGetDevResource");
  if (sms < 1 || static_cast<unsigned>(sms) > all.sm.smCount) {
    throw Error("a share of " + std::to_string(sms) + " SMs of a device that has " + std::to_string(all.sm.smCount));
  }
  CUdevResource share{};
  CUdevResource rest{};
  unsigned shares = 1;
  check(library, library.dev_sm_resource_split_by_count(&share, &shares, &all, &rest, 0, static_cast<unsigned>(sms)),
        "cuDevSmResourceSplitByCount");
  if (shares != 1) throw Error("the device cannot be divided into a share of " + std::to_string(sms) + " SMs");
  CUdevResourceDesc description = nullptr;
  check(library, library.dev_resource_generate_desc(&description, &share, 1), "cuDevResourceGenerateDesc");
  check(library, library.green_ctx_create(&state_->context, description, handle, CU_GREEN_CTX_DEFAULT_STREAM),
        "cuGreenCtxCreate");
  check(library, library.green_ctx_stream_create(&state_->stream, state_->context, CU_STREAM_NON_BLOCKING, 0),
        "cuGreenCtxStreamCreate");
  state_->sms = static_cast<int>(share.sm.smCount);
}

int GreenContext::sms() const { return state_->sms; }
cudaStream_t GreenContext::stream() const { return state_->stream; }

#else

struct GreenContext::State {};

GreenContext::GreenContext(int, int) { throw_not_built_in("The driver's interface", "cuda.h"); }
GreenContext::GreenContext(int, int, const DriverLibrary&) { throw_not_built_in("The driver's interface", "cuda.h"); }
int GreenContext::sms() const { return 0; }
cudaStream_t GreenContext::stream() const { return nullptr; }

#endif

GreenContext::~GreenContext() = default;
GreenContext::GreenContext(GreenContext&&) noexcept = default;
GreenContext& GreenContext::operator=(GreenContext&&) noexcept = default;

}  // namespace ringsim::cuda
