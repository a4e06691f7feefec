// Attention kernels on a GPU: the reference against plain attention in double precision, all others against the reference.
#include "kernels/cuda/attention.hpp"

#include "tests/device/gpu.hpp"
#include "tests/device/plain_attention.hpp"

namespace ringsim::cuda::device_tests {
namespace {

void expect_forward(const Operands& actual, const std::vector<double>& o, const std::vector<double>& lse) {
  // Nothing but finite numbers passes: a poisoned element would make the distance NaN.
  EXPECT_LT(relative_distance(on_host(actual.o), o), bf16_tolerance);
  EXPECT_LT(largest_distance(on_host(actual.lse), lse), lse_tolerance);
}

class Reference : public OnGpu {
 protected:
  void expect_plain(const Problem& problem) {
    const auto kernels = reference_kernels();
    const Operands operands(problem, 11);
    run_forward(*kernels, operands.forward());
    const PlainAttention plain = plain_attention(operands);
    expect_forward(operands, plain.o, plain.lse);
    run_backward(*kernels, operands.backward());
    EXPECT_LT(relative_distance(on_host(operands.dq), plain.dq), bf16_tolerance);
    EXPECT_LT(relative_distance(on_host(operands.dk), plain.dk), bf16_tolerance);
    EXPECT_LT(relative_distance(on_host(operands.dv), plain.dv), bf16_tolerance);
  }
};

TEST_F(Reference, SmallFull) { expect_plain({2, 2, 37, 53, 24, false}); }
TEST_F(Reference, SmallCausal) { expect_plain({2, 1, 40, 40, 16, true}); }
TEST_F(Reference, SmallGroupedHeads) { expect_plain({4, 2, 19, 33, 32, false}); }
TEST_F(Reference, HeadsOf128) { expect_plain({2, 1, 130, 97, 128, false}); }

struct Implementation {
  std::string name;
  std::function<std::unique_ptr<AttentionKernels>(const DeviceInfo&)> make;
};

class Implementations : public OnGpu, public ::testing::WithParamInterface<Implementation> {
 protected:
  void SetUp() override {
    OnGpu::SetUp();
    if (IsSkipped()) return;
    try {
      kernels_ = GetParam().make(device());
    } catch (const Error& error) {
      GTEST_SKIP() << GetParam().name << ": " << error.message();
    }
    if (!kernels_) GTEST_SKIP() << GetParam().name << " does not run on " << device().name;
  }

  void expect_as_reference(const Problem& problem) {
    const auto reference = reference_kernels();
    const Operands expected(problem, 21);
    const Operands actual(problem, 21);
    run_forward(*reference, expected.forward());
    run_forward(*kernels_, actual.forward());
    expect_forward(actual, on_host(expected.o), on_host(expected.lse));
    if (!kernels_->has_backward()) return;
    run_backward(*reference, expected.backward());
    // The same final outputs and statistics for both, as in a ring.
    check(cudaMemcpy(actual.o.data(), expected.o.data(), expected.o.bytes(), cudaMemcpyDeviceToDevice), "cudaMemcpy");
    check(cudaMemcpy(actual.lse.data(), expected.lse.data(), expected.lse.bytes(), cudaMemcpyDeviceToDevice),
          "cudaMemcpy");
    run_backward(*kernels_, actual.backward());
    EXPECT_LT(relative_distance(on_host(actual.dq), on_host(expected.dq)), bf16_tolerance);
    EXPECT_LT(relative_distance(on_host(actual.dk), on_host(expected.dk)), bf16_tolerance);
    EXPECT_LT(relative_distance(on_host(actual.dv), on_host(expected.dv)), bf16_tolerance);
  }

  std::unique_ptr<AttentionKernels> kernels_;
};

TEST_P(Implementations, SmallFull) { expect_as_reference({2, 2, 128, 128, 128, false}); }
TEST_P(Implementations, SmallCausal) { expect_as_reference({2, 2, 256, 256, 128, true}); }
TEST_P(Implementations, SmallGroupedHeads) { expect_as_reference({4, 1, 128, 256, 128, false}); }
TEST_P(Implementations, AFewTokensThatFillNoTile) { expect_as_reference({4, 2, 200, 328, 128, false}); }
// The kernels of a zigzag ring: (s, s) causal, (s, s/2) and (s/2, s).
TEST_P(Implementations, ZigzagCausal) { expect_as_reference({8, 2, 2048, 2048, 128, true}); }
TEST_P(Implementations, ZigzagHalfOfTheKeys) { expect_as_reference({8, 2, 2048, 1024, 128, false}); }
TEST_P(Implementations, ZigzagHalfOfTheQueries) { expect_as_reference({8, 2, 1024, 2048, 128, false}); }
// More tiles than SMs, so that a persistent grid comes round.
TEST_P(Implementations, ManyHeads) { expect_as_reference({64, 8, 1024, 1024, 128, false}); }

// Half of the tokens of a block, in place: the head distance is the whole block's.
TEST_P(Implementations, PartsOfABlock) {
  const Problem whole{4, 2, 512, 512, 128, false};
  const auto reference = reference_kernels();
  const Operands expected(whole, 31);
  const Operands actual(whole, 31);
  const auto part = [](ForwardCall call) {
    call.q = call.q.part(256, 256);
    call.o = call.o.part(256, 256);
    call.lse = call.lse.part(256, 256);
    call.k = call.k.part(0, 256);
    call.v = call.v.part(0, 256);
    return call;
  };
  // The other half of the outputs stays as it was, NaN; zeros on both sides make it comparable.
  for (const Operands* o : {&expected, &actual}) {
    check(cudaMemset(o->o.data(), 0, o->o.bytes()), "cudaMemset");
    check(cudaMemset(o->lse.data(), 0, o->lse.bytes()), "cudaMemset");
  }
  run_forward(*reference, part(expected.forward()));
  run_forward(*kernels_, part(actual.forward()));
  expect_forward(actual, on_host(expected.o), on_host(expected.lse));
}

INSTANTIATE_TEST_SUITE_P(Each, Implementations,
                         ::testing::Values(Implementation{"cudnn", [](const DeviceInfo&) { return cudnn_kernels(); }},
                                           Implementation{"sm90",
                                                          [](const DeviceInfo& device) {
                                                            return device.is_hopper() ? hopper_kernels() : nullptr;
                                                          }},
                                           Implementation{"sm90_on_three_quarters_of_the_sms",
                                                          [](const DeviceInfo& device) {
                                                            return device.is_hopper()
                                                                       ? hopper_kernels(3 * device.sms / 4)
                                                                       : nullptr;
                                                          }}),
                         [](const ::testing::TestParamInfo<Implementation>& what) { return what.param.name; });

}  // namespace
}  // namespace ringsim::cuda::device_tests
