// How fast the attention kernels are, printed. What is expected is only that the numbers are possible; what they should be is for
// people to judge, and for ringsim calibrate to measure with more care.
#include "tests/device/gpu.hpp"

#include <algorithm>
#include <cstdio>

namespace ringsim::cuda::device_tests {
namespace {

class Rates : public OnGpu {
 protected:
  void print(AttentionKernels& kernels, bool causal, bool backward) {
    for (const std::int64_t tokens : {2048, 4096, 8192, 16384}) {
      const Problem problem{32, 8, tokens, tokens, 128, causal};
      const Operands operands(problem, 51);
      kernels.prepare(operands.forward());
      if (backward) kernels.prepare(operands.backward());
      const Stream stream;
      const Event start;
      const Event end;
      kernels.forward(operands.forward(), stream.get());
      double best_s = 1e9;
      for (int run = 0; run < 5; ++run) {
        start.record(stream.get());
        if (backward) {
          kernels.backward(operands.backward(), stream.get());
        } else {
          kernels.forward(operands.forward(), stream.get());
        }
        end.record(stream.get());
        stream.synchronize();
        best_s = std::min(best_s, seconds_between(start, end));
      }
      // 4·D FLOP a pair and head forward, 10·D backward; a causal mask lets half of the pairs through.
      const double pairs = static_cast<double>(tokens) * static_cast<double>(tokens) * (causal ? 0.5 : 1.0);
      const double flop = (backward ? 10.0 : 4.0) * 128 * 32 * pairs;
      const double tflops = flop / best_s / 1e12;
      std::printf("%s %s %s, %lld tokens, 32/8 heads of 128: %.0f TFLOP/s\n", kernels.name().c_str(),
                  backward ? "backward" : "forward", causal ? "causal" : "full", static_cast<long long>(tokens),
                  tflops);
      // An H200 has 989 TFLOP/s in bf16. More is a mistake in the timing; nothing at all a kernel that did not run.
      EXPECT_GT(tflops, 1);
      if (device().is_hopper()) {
        EXPECT_LT(tflops, 1100);
      }
    }
  }
};

TEST_F(Rates, OfOurOwnKernel) {
  if (!device().is_hopper()) GTEST_SKIP() << "needs compute capability 9.0";
  const auto kernels = hopper_kernels();
  for (const bool causal : {false, true}) print(*kernels, causal, false);
}

TEST_F(Rates, OfCudnn) {
  std::unique_ptr<AttentionKernels> kernels;
  try {
    kernels = cudnn_kernels();
  } catch (const Error& error) {
    GTEST_SKIP() << error.message();
  }
  for (const bool backward : {false, true}) {
    for (const bool causal : {false, true}) print(*kernels, causal, backward);
  }
}

}  // namespace
}  // namespace ringsim::cuda::device_tests
