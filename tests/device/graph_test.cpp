// Work captured in a graph gives what it gives when it is enqueued, every time that it is launched.
#include "kernels/cuda/graph.hpp"

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/merge.hpp"
#include "kernels/cuda/paced_copy.hpp"
#include "tests/device/gpu.hpp"

namespace ringsim::cuda::device_tests {
namespace {

class Graphs : public OnGpu {
 protected:
  // A step of a ring: the next block of keys is copied while attention runs on this one and its result is merged.
  struct Step {
    explicit Step(const Problem& problem)
        : operands(problem, 41),
          next(poisoned<Bf16>(static_cast<std::int64_t>(operands.k.size()))),
          o(poisoned<float>(static_cast<std::int64_t>(operands.o.size()))),
          lse(poisoned<float>(static_cast<std::int64_t>(operands.lse.size()))),
          copy(PacedCopyOptions{.bytes_per_s = 50e9, .blocks = 2}) {}

    void enqueue(AttentionKernels& kernels) {
      const ForwardCall call = operands.forward();
      const OutputAccumulator into{contiguous(o.data(), call.o.heads, call.o.rows, call.o.dim),
                                   contiguous(lse.data(), call.o.heads, call.o.rows, std::int64_t{1})};
      fork.record(compute.get());
      fork.hold_back(transfer.get());
      copy.run(next.data(), operands.k.data(), operands.k.bytes(), transfer.get());
      kernels.forward(call, compute.get());
      start_output(into, call.o, call.lse, compute.get());
      merge_output(into, call.o, call.lse, compute.get());
      join.record(transfer.get());
      join.hold_back(compute.get());
    }

    Operands operands;
    Memory<Bf16> next;
    Memory<float> o, lse;
    PacedCopy copy;
    Stream compute{Stream::Priority::low};
    Stream transfer{Stream::Priority::high};
    Event fork{Event::Kind::ordering};
    Event join{Event::Kind::ordering};
  };

  void expect_the_same(AttentionKernels& kernels, const Problem& problem) {
    Step eager(problem);
    kernels.prepare(eager.operands.forward());
    eager.enqueue(kernels);
    eager.compute.synchronize();

    Step captured(problem);
    const Graph graph(captured.compute.get(), [&] { captured.enqueue(kernels); });
    for (int launch = 0; launch < 3; ++launch) {
      captured.o.poison(captured.compute.get());
      captured.next.poison(captured.compute.get());
      graph.launch(captured.compute.get());
      captured.compute.synchronize();
      // The same kernels on the same numbers; a result merged with itself is itself, with ln 2 more in its statistic.
      EXPECT_EQ(on_host(captured.o), on_host(eager.o)) << launch;
      EXPECT_EQ(on_host(captured.lse), on_host(eager.lse)) << launch;
      EXPECT_EQ(on_host(captured.next), on_host(captured.operands.k)) << launch;
    }
    const std::vector<double> once = on_host(captured.operands.lse);
    const std::vector<double> twice = on_host(captured.lse);
    for (std::size_t i = 0; i < once.size(); ++i) EXPECT_NEAR(twice[i], once[i] + std::log(2.0), 1e-5);
  }
};

TEST_F(Graphs, SmallStepOfTheReference) {
  const auto kernels = reference_kernels();
  expect_the_same(*kernels, {2, 1, 32, 48, 16, false});
}

TEST_F(Graphs, StepOfOurOwnKernel) {
  if (!device().is_hopper()) GTEST_SKIP() << "needs compute capability 9.0";
  const auto kernels = hopper_kernels();
  expect_the_same(*kernels, {8, 2, 512, 512, 128, false});
}

TEST_F(Graphs, StepOfCudnn) {
  std::unique_ptr<AttentionKernels> kernels;
  try {
    kernels = cudnn_kernels();
  } catch (const Error& error) {
    GTEST_SKIP() << error.message();
  }
  expect_the_same(*kernels, {8, 2, 512, 512, 128, false});
}

}  // namespace
}  // namespace ringsim::cuda::device_tests
