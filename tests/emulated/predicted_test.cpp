// The whole way on an emulated GPU: benchmarks, fits, a profile, and rings that are played and predicted with it. Its times are no GPU's: attention
// takes a time that is worked out from the pairs it computes, other kernels one from their grid, copies one from the link's rate. Nothing slows
// anything else down. So what is left between prediction and measurement is what the executor does otherwise than the models say.

#include "calibrate/cuda/benchmarks.hpp"
#include "calibrate/fit/profile.hpp"
#include "calibrate/measured_run.hpp"
#include "calibrate/paced_links.hpp"
#include "kernels/cuda/executor/measure.hpp"
#include "kernels/cuda/resources.hpp"
#include "scenarios/reader.hpp"
#include "sim/predict.hpp"
#include "sim/schedules/ring.hpp"
#include "tests/emulated/runtime.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

namespace ringsim::calibrate {
namespace {

// Attention by tiles of 128 keys, which takes a nanosecond for each pair of a query and a key in its tiles and half a microsecond for each 64 queries,
// twice and a half as long backward. Where the diagonal crosses a tile, half of it is computed for nothing. The time is that of a fill at 10⁹ B/s;
// nothing is computed.
constexpr double bytes_per_s = 1e9;
class TimedKernels final : public cuda::AttentionKernels {
 public:
  [[nodiscard]] std::string name() const override { return "timed"; }
  [[nodiscard]] bool has_backward() const override { return true; }
  void prepare(const cuda::ForwardCall&) override {}
  void prepare(const cuda::BackwardCall&) override {}
  void forward(const cuda::ForwardCall& call, cudaStream_t stream) override {
    take(time_s(call.q.rows, call.k.rows, call.causal), stream);
  }
  void backward(const cuda::BackwardCall& call, cudaStream_t stream) override {
    take(2.5 * time_s(call.q.rows, call.k.rows, call.causal), stream);
  }

 private:
  static double time_s(std::int64_t queries, std::int64_t keys, bool causal) {
    const auto rows = static_cast<double>(queries);
    const double all = rows * static_cast<double>(keys);
    const double pairs = causal ? std::min(all, (all + rows) / 2 + 64 * rows) : all;
    return 1e-9 * pairs + 0.5e-6 * rows / 64;
  }
  void take(double seconds, cudaStream_t stream) {
    cuda::check(cudaMemsetAsync(scratch_.data(), 0, static_cast<std::size_t>(seconds * bytes_per_s), stream),
                "cudaMemsetAsync");
  }
  cuda::Memory<std::byte> scratch_{std::size_t{1} << 22U};
};

emulated::Settings settings() {
  emulated::Settings s;
  s.sms = 1;  // so that any kernel fills the device
  s.memory_bytes_per_s = bytes_per_s;
  s.host_call_s = 1e-8;  // the host is not what is looked at
  s.launch_s = 1e-7;
  // A block takes 0.2 µs, one after the other.
  s.kernel_time_s = [](const emulated::Grid& grid) {
    return 1e-6 + 0.2e-6 * grid.blocks.x * grid.blocks.y * grid.blocks.z;
  };
  return s;
}

constexpr double rates_bytes_per_s[] = {2e9, 0.2e9};

// A copy held to a link's rate, as the benchmarks time it.
TransferPoint timed_copy(double rate, std::size_t bytes) {
  cuda::PacedCopyOptions how;
  how.bytes_per_s = rate;
  how.blocks = 1;
  cuda::PacedCopy copy(how);
  const cuda::Memory<std::byte> from(bytes);
  const cuda::Memory<std::byte> to(bytes);
  const cuda::Stream stream;
  const cuda::Event begin;
  const cuda::Event end;
  begin.record(stream.get());
  copy.run(to.data(), from.data(), bytes, stream.get());
  end.record(stream.get());
  end.synchronize();
  const double time_s = cuda::seconds_between(begin, end);
  TransferPoint point;
  point.link_class = paced_link_class(rate, TransferEngine::sm_kernel);
  point.bytes = static_cast<double>(bytes);
  point.ranks = 1;
  point.time = {time_s, time_s, time_s, 6};
  point.source = "copy";
  return point;
}

// Only what a profile cannot do without, and hops: all benchmarks take minutes here.
Profile calibrated() {
  emulated::reset(settings());
  const cuda::Devices found = cuda::find_devices();
  GpuKernels kernels;
  kernels.attention = std::make_shared<TimedKernels>();
  GpuBenchmarkOptions options;
  options.query_heads = 2;
  options.kv_heads = 1;
  options.head_dim = 16;
  options.least_tokens = 128;
  options.most_tokens = 512;
  options.budget_s = 1e-9;
  options.most_bytes = std::size_t{256} << 10U;
  options.rows_of_products = 64;
  options.flush_bytes = 4096;
  options.clock = emulated::host_time_s;
  options.rule.warmup = 1;
  options.rule.minimum = 6;
  options.rule.maximum = 6;
  Points points = points_of(run_gpu_benchmarks(found, kernels, options));
  points.transfer.clear();
  for (const double rate : rates_bytes_per_s) {
    for (const std::size_t bytes : {4096U, 32768U, 262144U}) points.transfer.push_back(timed_copy(rate, bytes));
  }
  FitOptions how;
  how.name = "emulated";
  how.gpu = "emulated";
  for (const double rate : rates_bytes_per_s) {
    how.nominal[paced_link_class(rate, TransferEngine::sm_kernel)] = bytes_per_second(rate);
  }
  return fit_profile(points, how).profile;
}

Scenario ring(const std::string& layout, const std::string& phase, double rate, const Profile& profile) {
  const std::string yaml = R"(
name: emulated
model: {name: small, layers: 1, hidden: 32, heads: 2, kv_heads: 1, head_dim: 16}
workload: {phase: )" + phase +
                           R"(, tokens: 2048, causal: true, dtype: bf16, scope: attention}
cluster: {use: hgx-h200, intra_node: {class: )" +
                           paced_link_class(rate, TransferEngine::sm_kernel) +
                           ", bandwidth: " + std::to_string(rate / 1e9) +
                           R"( GB/s}}
parallel: {ring: 4}
ring: {layout: )" + layout +
                           R"(}
profile: datasheet
)";
  Scenario scenario = scenarios::read_scenario_text(yaml, "emulated.yaml");
  scenario.profile = profile;
  return scenario;
}

TEST(Predicted, PlayedRingsTakeWhatTheirProfilePredicts) {
  const Profile profile = calibrated();
  for (const double rate : rates_bytes_per_s) {
    for (const std::string layout : {"zigzag", "striped"}) {
      for (const std::string phase : {"prefill", "train"}) {
        const Scenario scenario = ring(layout, phase, rate, profile);
        emulated::reset(settings());
        TimedKernels kernels;
        cuda::PacedCopyOptions link;
        link.bytes_per_s = rate;
        link.blocks = 1;  // enough for these rates, and each block of the emulation takes its time
        cuda::MeasureOptions how;
        how.warmup = 0;
        how.repeats = 3;
        const sim::Program program = sim::ring_program_of(scenario);
        cuda::MeasureResult result = cuda::play_ranks(program, kernels, nullptr, link, how);
        const Measurement measured = measurement_of(scenario, program, {std::move(result.recordings), 0, {}}, {});
        const double predicted_s = sim::predict(scenario, {}).prediction.makespan_s;
        EXPECT_NEAR(predicted_s / measured.makespan_s, 1.0, 0.05)
            << layout << " " << phase << " at " << rate << " B/s: predicted " << predicted_s << " s, measured "
            << measured.makespan_s << " s";
      }
    }
  }
}

}  // namespace
}  // namespace ringsim::calibrate
