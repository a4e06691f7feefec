// What operations cost beside their work: kernels of no work, events, graphs, and the host that issues them.
#include "calibrate/cuda/tasks.hpp"
#include "kernels/cuda/graph.hpp"
#include "kernels/cuda/probes.hpp"

#include <fmt/format.h>

namespace ringsim::calibrate {
namespace {

// So many that what is at the ends of a chain does not count, and few enough for the queue of launches in front of a gate.
constexpr std::int64_t chain = 200;

// A kernel on the critical path: one of a chain of empty ones, which start as the one before ends.
Task launch_task(const GpuBench& bench) {
  LaunchPoint point;
  point.source = fmt::format("one of {} empty kernels of a stream", chain);
  return {point.source, 1, [&bench, point](const SamplingRule& rule) {
            return outcome_of(point, bench.sampler.on_two_streams(
                                         rule,
                                         [](cudaStream_t stream, cudaStream_t) {
                                           for (std::int64_t i = 0; i < chain; ++i) cuda::empty_kernel(stream);
                                         },
                                         true, chain));
          }};
}

// Empty kernels on two streams in turn, each of which waits for the one before by an event:
//   first:   k ─ record    wait ─ k ─ record    wait
//   second:         wait ─ k ─ record    wait ─ ...
class PingPong {
 public:
  PingPong() {
    for (std::int64_t i = 0; i < chain; ++i) events_.emplace_back(cuda::Event::Kind::ordering);
  }
  void enqueue(cudaStream_t first, cudaStream_t second) const {
    for (std::size_t i = 0; i < events_.size(); ++i) {
      cudaStream_t here = i % 2 == 0 ? first : second;
      cudaStream_t there = i % 2 == 0 ? second : first;
      cuda::empty_kernel(here);
      events_[i].record(here);
      events_[i].hold_back(there);
    }
  }

 private:
  std::vector<cuda::Event> events_;
};

Task event_task(const GpuBench& bench) {
  OverheadPoint point;
  point.what = Overhead::event;
  point.source = "an empty kernel that waits for one on another stream by an event";
  return {point.source, 1, [&bench, point](const SamplingRule& rule) {
            const PingPong ping_pong;
            return outcome_of(point,
                              bench.sampler.on_two_streams(
                                  rule, [&](cudaStream_t a, cudaStream_t b) { ping_pong.enqueue(a, b); }, true, chain));
          }};
}

Task eager_task(const GpuBench& bench) {
  OverheadPoint point;
  point.what = Overhead::eager;
  point.source = fmt::format("one of {} empty kernels, enqueued while the stream runs", chain);
  return {point.source, 1, [&bench, point](const SamplingRule& rule) {
            return outcome_of(point, bench.sampler.on_two_streams(
                                         rule,
                                         [](cudaStream_t stream, cudaStream_t) {
                                           for (std::int64_t i = 0; i < chain; ++i) cuda::empty_kernel(stream);
                                         },
                                         false, chain));
          }};
}

Task graph_task(const GpuBench& bench) {
  OverheadPoint point;
  point.what = Overhead::graph;
  point.source = fmt::format("one of {} empty kernels of a graph", chain);
  return {point.source, 1, [&bench, point](const SamplingRule& rule) {
            const cuda::Stream stream;
            const cuda::Graph captured(stream.get(), [&stream] {
              for (std::int64_t i = 0; i < chain; ++i) cuda::empty_kernel(stream.get());
            });
            return outcome_of(point,
                              bench.sampler.on_two_streams(
                                  rule, [&](cudaStream_t on, cudaStream_t) { captured.launch(on); }, false, chain));
          }};
}

// What the host needs for an operation as a ring has it: wait for the other stream, launch, record an event.
Task issue_task(const GpuBench& bench) {
  OverheadPoint point;
  point.what = Overhead::issue;
  point.source = "the host's time to wait for an event, launch and record an event";
  return {point.source, 1, [&bench, point](const SamplingRule& rule) {
            const PingPong ping_pong;
            return outcome_of(
                point,
                bench.sampler.of_host(rule, [&](cudaStream_t a, cudaStream_t b) { ping_pong.enqueue(a, b); }, chain));
          }};
}

}  // namespace

std::vector<Task> overhead_tasks(const GpuBench& bench) {
  return {launch_task(bench), event_task(bench), eager_task(bench), graph_task(bench), issue_task(bench)};
}

}  // namespace ringsim::calibrate
