// The sm_90a attention kernel on a GPU, against plain attention in double precision on the host: what the emulation
// cannot tell, whether the hardware does what its manual says. Expectations as in
// tests/emulated/hopper_attention_test.cpp, for the same reasons.

#include "tests/emulated/attention_case.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <ostream>
#include <string>

namespace ringsim::cuda {
namespace {

/// Empty where kernels for sm_90a run here, otherwise why not.
std::string why_not() {
  int device = 0;
  cudaError_t status = cudaGetDevice(&device);
  int major = 0;
  int minor = 0;
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  if (status == cudaSuccess) status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  if (status != cudaSuccess) return cudaGetErrorString(status);
  if (major == 9 && minor == 0) return {};
  return "compute capability " + std::to_string(major) + "." + std::to_string(minor) + ", not 9.0";
}

void expect_correct(const AttentionCase& asked, std::uint64_t seed) {
  SCOPED_TRACE(testing::Message() << asked << ", seed " << seed);
  const auto deviation = run(asked, seed);
  EXPECT_EQ(deviation.wrong, "");
  EXPECT_LT(deviation.o, 1e-2);
  EXPECT_LT(deviation.lse, 1e-3);
}

// Every variant of the kernel (causal, 128 and 176 keys a block, merging or not), edges of tiles on both sides, grouped
// heads with gaps, a grid of every SM and of few.
TEST(HopperAttentionOnDevice, EveryVariant) {
  if (const std::string reason = why_not(); !reason.empty()) GTEST_SKIP() << reason;
  for (const bool merging : {false, true}) {
    for (const int key_rows : {0, 128, 176}) {
      for (const std::int64_t queries : {1, 127, 300}) {
        for (const std::int64_t keys : {0, 1, 129, 352, 1000}) {
          for (const int sms : {0, 3}) {
            AttentionCase asked;
            asked.heads = 4;
            asked.key_heads = 2;
            asked.queries = queries;
            asked.keys = keys;
            asked.key_rows = key_rows;
            asked.causal = key_rows == 0;
            asked.diagonal = asked.causal ? keys / 2 - queries / 2 : 0;
            asked.gap = 64;
            asked.sms = sms;
            asked.merging = merging;
            expect_correct(asked, 1);
          }
        }
      }
    }
  }
}

// Rings of K and V that are reused many times by blocks that wait for one another in earnest: 32 tiles of up to 32
// blocks of keys on 5 SMs.
TEST(HopperAttentionOnDevice, LongLoops) {
  if (const std::string reason = why_not(); !reason.empty()) GTEST_SKIP() << reason;
  for (const bool causal : {false, true}) {
    AttentionCase asked;
    asked.queries = asked.keys = 4096;
    asked.causal = causal;
    asked.sms = 5;
    expect_correct(asked, 3);
  }
}

}  // namespace
}  // namespace ringsim::cuda
