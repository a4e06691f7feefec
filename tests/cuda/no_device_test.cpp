// On a machine without a GPU what needs one is refused with a sentence, whatever libraries are there.
#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/dynamic/cublas.hpp"
#include "kernels/cuda/gemm.hpp"
#include "models/error.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <string>

namespace ringsim::cuda {
namespace {

class WithoutADevice : public ::testing::Test {
 protected:
  void SetUp() override {
    int devices = 0;
    if (cudaGetDeviceCount(&devices) == cudaSuccess && devices > 0) GTEST_SKIP() << "there is a device";
  }
};

TEST_F(WithoutADevice, CudnnKernelsAreRefused) {
  try {
    static_cast<void>(cudnn_kernels());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(error.message().find("cu"), std::string::npos);
    std::cout << error.message() << '\n';
  }
}

TEST_F(WithoutADevice, AMatrixProductIsRefused) { EXPECT_THROW(Gemm(64, 64, 64), Error); }

// Of the sides themselves, before anything is asked of the device.
TEST(Gemm, SidesArePositive) {
  if (RINGSIM_HAS_CUBLAS == 0) GTEST_SKIP() << "compiled without cublas_v2.h";
  for (const std::int64_t side : {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1} << 31}) {
    try {
      Gemm(64, side, 64);
      FAIL() << side;
    } catch (const Error& error) {
      EXPECT_EQ(error.message(), "a side of a matrix product is " + std::to_string(side));
    }
  }
}

}  // namespace
}  // namespace ringsim::cuda
