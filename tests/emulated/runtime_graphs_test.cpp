// The emulated runtime: capturing streams and launching graphs.

#include "kernels/cuda/graph.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace ringsim {
namespace {

using cuda::Event;
using cuda::Graph;
using cuda::Memory;
using cuda::Stream;
using cuda::tests::download;
using cuda::tests::finish;

__global__ void increase_kernel(int* to, int by) { *to += by; }
__global__ void double_kernel(int* to) { *to *= 2; }

void increase(const Memory<int>& memory, int by, const Stream& stream) {
  cuda::launch("increase", increase_kernel, {}, stream.get(), memory.data(), by);
}
void twice(const Memory<int>& memory, const Stream& stream) {
  cuda::launch("double", double_kernel, {}, stream.get(), memory.data());
}

class EmulatedGraphs : public ::testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
};

// Captured, a fill, a kernel and a copy do nothing; launched twice, each launch sets 0, adds 3 and copies the 3.
TEST_F(EmulatedGraphs, ReplayWhatWasCaptured) {
  const Stream stream;
  const Memory<int> from(1);
  const Memory<int> to(1);
  const Graph graph(stream.get(), [&] {
    cuda::check(cudaMemsetAsync(from.data(), 0, 4, stream.get()), "fill");
    increase(from, 3, stream);
    cuda::check(cudaMemcpyAsync(to.data(), from.data(), 4, cudaMemcpyDeviceToDevice, stream.get()), "copy");
  });
  EXPECT_EQ(graph.nodes(), 3U);
  finish();
  EXPECT_EQ(download(to.data(), 1), (std::vector<int>{-1}));
  graph.launch(stream.get());
  increase(to, 1, stream);
  graph.launch(stream.get());
  increase(to, 5, stream);
  finish();
  EXPECT_EQ(download(to.data(), 1), (std::vector<int>{8}));  // 3 from the second launch, and 5
}

// A second stream joins by waiting for an event of the first, and is joined again. Both branches of the fork work on their own
// number; the end doubles them. In each order: (0 + 1)·2 = 2 and (0 + 2)·2 = 4.
TEST_F(EmulatedGraphs, ForkAndJoin) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    emulated::Settings settings;
    settings.order = emulated::Order::random;
    settings.seed = seed;
    emulated::reset(settings);
    const Stream first;
    const Stream second(Stream::Priority::high);
    const Event fork(Event::Kind::ordering);
    const Event join(Event::Kind::ordering);
    const Memory<int> a(1);
    const Memory<int> b(1);
    const Graph graph(first.get(), [&] {
      cuda::check(cudaMemsetAsync(a.data(), 0, 4, first.get()), "fill");
      fork.record(first.get());
      fork.hold_back(second.get());
      cuda::check(cudaMemsetAsync(b.data(), 0, 4, second.get()), "fill");
      increase(b, 2, second);
      join.record(second.get());
      increase(a, 1, first);
      join.hold_back(first.get());
      twice(a, first);
      twice(b, first);
    });
    EXPECT_EQ(graph.nodes(), 6U);
    graph.launch(first.get());
    finish();
    EXPECT_EQ(download(a.data(), 1)[0], 2);
    EXPECT_EQ(download(b.data(), 1)[0], 4);
  }
}

// The same without the wait for the second branch, whose last operation is waited for only by another event: the doubling of b
// may come before its increase. 0·2 + 2 = 2 is then the result, in some order.
TEST_F(EmulatedGraphs, MissingWaitShows) {
  std::set<int> results;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    emulated::Settings settings;
    settings.order = emulated::Order::random;
    settings.seed = seed;
    emulated::reset(settings);
    const Stream first;
    const Stream second;
    const Event fork(Event::Kind::ordering);
    const Event join(Event::Kind::ordering);
    const Memory<int> b(1);
    const Graph graph(first.get(), [&] {
      cuda::check(cudaMemsetAsync(b.data(), 0, 4, first.get()), "fill");
      fork.record(first.get());
      fork.hold_back(second.get());
      increase(b, 2, second);
      join.record(second.get());
      twice(b, first);
      join.hold_back(first.get());
    });
    graph.launch(first.get());
    finish();
    results.insert(download(b.data(), 1)[0]);
  }
  EXPECT_EQ(results, (std::set<int>{2, 4}));
}

// What follows a launch on its stream comes after all of the graph, and a graph launched on two streams runs twice in a row.
TEST_F(EmulatedGraphs, AreOrderedAsAWhole) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    emulated::Settings settings;
    settings.order = emulated::Order::random;
    settings.seed = seed;
    emulated::reset(settings);
    const Stream stream;
    const Stream other;
    const Memory<int> memory(1);
    cuda::check(cudaMemset(memory.data(), 0, 4), "fill");
    finish();
    const Graph graph(stream.get(), [&] {
      increase(memory, 1, stream);
      twice(memory, stream);
    });
    graph.launch(stream.get());
    graph.launch(other.get());
    finish();
    EXPECT_EQ(download(memory.data(), 1)[0], 6);  // ((0 + 1)·2 + 1)·2
  }
}

// A branch that nobody waits for; a wait for an event from outside; the host waiting inside; a capture that was not begun.
TEST_F(EmulatedGraphs, BadCapturesAreRefused) {
  const Stream first;
  const Stream second;
  const Event event(Event::Kind::ordering);
  const Memory<int> memory(1);
  cudaGraph_t graph = nullptr;
  const auto begin = [&] { cuda::check(cudaStreamBeginCapture(first.get(), cudaStreamCaptureModeGlobal), "begin"); };

  begin();
  event.record(first.get());
  event.hold_back(second.get());
  increase(memory, 1, second);
  EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaErrorStreamCaptureUnjoined);

  event.record(second.get());
  begin();
  EXPECT_EQ(cudaStreamWaitEvent(first.get(), event.get(), 0), cudaErrorStreamCaptureIsolation);
  EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaErrorStreamCaptureInvalidated);

  begin();
  EXPECT_EQ(cudaStreamSynchronize(first.get()), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaErrorStreamCaptureInvalidated);

  begin();
  void* data = nullptr;
  EXPECT_EQ(cudaMalloc(&data, 8), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaErrorStreamCaptureInvalidated);

  EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaErrorStreamCaptureUnmatched);

  begin();
  event.record(first.get());
  EXPECT_EQ(cudaEventSynchronize(event.get()), cudaErrorCapturedEvent);
  EXPECT_EQ(cudaStreamEndCapture(first.get(), &graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaErrorInvalidResourceHandle);
  finish();
}

// Records marked as external are nodes: every launch records them, so that they give the graph's times. Between them is one
// kernel, 2 µs in virtual time.
TEST_F(EmulatedGraphs, ExternalEventsGiveTimes) {
  const Stream stream;
  const Event begin;
  const Event end;
  const Memory<int> memory(1);
  const Graph graph(stream.get(), [&] {
    cuda::check(cudaEventRecordWithFlags(begin.get(), stream.get(), cudaEventRecordExternal), "record");
    increase(memory, 1, stream);
    cuda::check(cudaEventRecordWithFlags(end.get(), stream.get(), cudaEventRecordExternal), "record");
  });
  EXPECT_EQ(graph.nodes(), 3U);
  graph.launch(stream.get());
  stream.synchronize();
  EXPECT_NEAR(cuda::seconds_between(begin, end), 2e-6, 1e-9);
}

// An exception while capturing ends the capture, so that the stream can be used again.
TEST_F(EmulatedGraphs, ExceptionsEndTheCapture) {
  const Stream stream;
  EXPECT_THROW(Graph(stream.get(), [] { throw Error("something else"); }), Error);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusActive;
  ASSERT_EQ(cudaStreamIsCapturing(stream.get(), &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusNone);
  EXPECT_EQ(emulated::alive().graphs, 0U);
}

}  // namespace
}  // namespace ringsim
