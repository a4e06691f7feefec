// Rings on a real GPU: the numbers by all ranks in sequence, and a rank that is played, by single launches and as a graph, with hops by thread
// blocks and by a copy engine.

#include "kernels/cuda/executor/in_sequence.hpp"
#include "kernels/cuda/executor/inputs.hpp"
#include "kernels/cuda/executor/player.hpp"
#include "kernels/cuda/merging_kernel.hpp"
#include "tests/device/gpu.hpp"
#include "tests/emulated/small_ring.hpp"

#include <gtest/gtest.h>

#include <cstddef>

namespace ringsim::cuda {
namespace {

SmallRing of_heads_of_128(Layout layout, bool trains, bool causal) {
  SmallRing ring{layout, 4, 1024, trains, causal};
  ring.heads = {1, 4, 2, 128, 128};
  return ring;
}

void expect_right(const SmallRing& ring, AttentionKernels& kernels, MergingKernel* merging) {
  const sim::Program program = program_of(ring);
  const host::RingPlan plan(program, scale_of(program));
  EXPECT_LT(worst(check_in_sequence(plan, kernels, merging, {7, {}})), rounding) << text_of(ring);
}

class Rings : public device_tests::OnGpu {};

TEST_F(Rings, SmallInSequenceByCudnn) {
  const auto kernels = cudnn_kernels();
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const bool trains : {false, true}) {
      for (const bool causal : {true, false}) expect_right(of_heads_of_128(layout, trains, causal), *kernels, nullptr);
    }
  }
}

TEST_F(Rings, SmallInSequenceByOurKernelSeparateAndFused) {
  if (!device().is_hopper()) GTEST_SKIP() << device().name << " is no H100 or H200";
  const auto kernels = hopper_kernels();
  const auto merging = merging_hopper_kernel();
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const bool causal : {true, false}) {
      expect_right(of_heads_of_128(layout, false, causal), *kernels, nullptr);
      expect_right(of_heads_of_128(layout, false, causal), *kernels, merging.get());
    }
  }
}

// A rank of 4 makes 3 hops forward. Each takes 256 tokens of two key/value heads of 128 + 128 elements of 2 bytes, 256 KiB, at 10⁸ B/s 2.6 ms, and
// its kernels take far less.
TEST_F(Rings, PlayedRanksKeepTheLinksRate) {
  const auto kernels = reference_kernels();
  const sim::Program program = program_of(of_heads_of_128(Layout::zigzag, false, true));
  const host::RingPlan plan(program, scale_of(program));
  const host::IssueList list = host::issue_list(program);
  constexpr double rate_bytes_per_s = 1e8;
  constexpr double hops_s = 3 * 256.0 * 2 * (128 + 128) * 2 / rate_bytes_per_s;
  for (const CopyEngine engine : {CopyEngine::sm_kernel, CopyEngine::copy_engine}) {
    for (const bool graph : {false, true}) {
      DeviceRank rank(plan, list, 1, *kernels);
      const Stream stream;
      random_inputs(plan, 1, rank, stream.get());
      rank.poison(stream.get());
      stream.synchronize();
      PacedCopyOptions link;
      link.engine = engine;
      link.bytes_per_s = rate_bytes_per_s;
      link.chunk_bytes = std::size_t{64} << 10U;
      PacedPort port(link);
      Player player(list, {{&rank, 0}}, port, {graph});
      player.run();
      const auto times = player.run_timed();
      EXPECT_GE(player.ends_s().front(), 0.99 * hops_s) << "graph " << graph;
      EXPECT_LE(player.ends_s().front(), 1.10 * hops_s) << "graph " << graph;
      ASSERT_EQ(times.at(0).size(), list.instructions.size());
    }
  }
}

}  // namespace
}  // namespace ringsim::cuda
