// Which calls make a stream of some SMs, seen by functions that stand in for the driver's.
#include "kernels/cuda/green_context.hpp"

#include "kernels/cuda/dynamic/driver.hpp"
#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#if RINGSIM_HAS_DRIVER_HEADER

namespace ringsim::cuda {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string>
    calls;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): C functions carry no state
CUresult creating = CUDA_SUCCESS;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

/// A device of 132 SMs that are given in eights.
DriverLibrary stand_in() {
  calls.clear();
  creating = CUDA_SUCCESS;
  DriverLibrary library{};
  library.get_error_string = [](CUresult, const char** message) {
    *message = "out of memory";
    return CUDA_SUCCESS;
  };
  library.device_get = [](CUdevice* device, int ordinal) {
    *device = ordinal;
    return CUDA_SUCCESS;
  };
  library.device_get_dev_resource = [](CUdevice, CUdevResource* resource, CUdevResourceType) {
    resource->sm.smCount = 132;
    return CUDA_SUCCESS;
  };
  library.dev_sm_resource_split_by_count = [](CUdevResource* share, unsigned* shares, const CUdevResource* all,
                                              CUdevResource*, unsigned, unsigned least) {
    calls.push_back("split " + std::to_string(least) + " of " + std::to_string(all->sm.smCount));
    share->sm.smCount = (least + 7) / 8 * 8;
    *shares = 1;
    return CUDA_SUCCESS;
  };
  library.dev_resource_generate_desc = [](CUdevResourceDesc*, CUdevResource* resources, unsigned) {
    calls.push_back("describe " + std::to_string(resources->sm.smCount));
    return CUDA_SUCCESS;
  };
  library.green_ctx_create = [](CUgreenCtx* context, CUdevResourceDesc, CUdevice device, unsigned) {
    calls.push_back("create on " + std::to_string(device));
    static int something = 0;
    if (creating == CUDA_SUCCESS) *context = reinterpret_cast<CUgreenCtx>(&something);
    return creating;
  };
  library.green_ctx_stream_create = [](CUstream*, CUgreenCtx, unsigned flags, int) {
    calls.emplace_back(flags == CU_STREAM_NON_BLOCKING ? "stream" : "blocking stream");
    return CUDA_SUCCESS;
  };
  library.green_ctx_destroy = [](CUgreenCtx) {
    calls.emplace_back("destroy");
    return CUDA_SUCCESS;
  };
  return library;
}

// 100 SMs are asked for; in eights that makes 104, and the object says so.
TEST(GreenContext, TakesTheNextSizeThatTheDeviceGives) {
  const DriverLibrary library = stand_in();
  {
    const GreenContext context(3, 100, library);
    EXPECT_EQ(context.sms(), 104);
  }
  EXPECT_THAT(calls, ElementsAre("split 100 of 132", "describe 104", "create on 3", "stream", "destroy"));
}

TEST(GreenContext, MoreThanThereAreIsRefused) {
  const DriverLibrary library = stand_in();
  for (const int sms : {0, -8, 133}) EXPECT_THROW(GreenContext(0, sms, library), Error) << sms;
  EXPECT_TRUE(calls.empty());
}

// What was never created is not destroyed.
TEST(GreenContext, AFailureHasTheDriversMessage) {
  const DriverLibrary library = stand_in();
  creating = CUDA_ERROR_OUT_OF_MEMORY;
  try {
    const GreenContext context(0, 8, library);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("cuGreenCtxCreate: out of memory"));
  }
  EXPECT_THAT(calls, ElementsAre("split 8 of 132", "describe 8", "create on 0"));
}

TEST(GreenContext, WithoutADeviceThereIsAnError) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) GTEST_SKIP() << "there is a device";
  EXPECT_THROW(GreenContext(0, 8), Error);
}

}  // namespace
}  // namespace ringsim::cuda

#else

TEST(GreenContext, IsNotBuiltIn) { GTEST_SKIP() << "compiled without cuda.h"; }

#endif
