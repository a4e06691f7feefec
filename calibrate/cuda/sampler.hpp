#pragma once
// Times kernels and copies on one GPU with events.
//
//   alone:   flush · probe · gate ─ start · work · end ─ probe          on one stream
//   beside:  flush · probe · gate ─ fork ─ start · first · end          on the stream of what is to begin first,
//                                    └──── start · second · end         on the other, which waits for `fork` by an event
//
// The gate holds the stream back until everything behind it has been enqueued, so that launches cost no gaps. What waits for
// an event of another stream is ready a few µs later than what follows on its own, so that `first` has taken its SMs by then.
// The flush overwrites more memory than the L2 cache holds. The probes tell the clock of the SMs before and after.

#include "calibrate/cuda/samples_until.hpp"
#include "kernels/cuda/device.hpp"
#include "kernels/cuda/probes.hpp"
#include "kernels/cuda/resources.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ringsim::calibrate {

/// Enqueues something on a stream, the same each time.
using Work = std::function<void(cudaStream_t)>;

/// Whether operands come from memory, or from where the operation before left them.
enum class Caches { cold, warm };

/// Of the device that is current when it is made.
class GpuSampler {
 public:
  /// `flush_bytes`: 0 for 256 MiB, or four times the L2 cache where that is more.
  GpuSampler(const cuda::DeviceInfo& device, HostClock now_s, std::size_t flush_bytes = 0);

  /// `work` counts as `operations` operations, by which its time is divided.
  [[nodiscard]] Sampling alone(const SamplingRule& rule, const Work& work, Caches caches = Caches::cold,
                               std::int64_t operations = 1);
  /// A transfer: on the stream of high priority.
  [[nodiscard]] Sampling transfer_alone(const SamplingRule& rule, const Work& work);
  /// {kernel, transfer}, both from the moment that they were ready to the end.
  [[nodiscard]] std::vector<Sampling> beside(const SamplingRule& rule, const Work& kernel, const Work& transfer,
                                             bool kernel_first);
  /// `work` with both streams, of low and of high priority, from start to end on the first of them; without the gate where the
  /// host's own pace is what is measured.
  using TwoStreamWork = std::function<void(cudaStream_t, cudaStream_t)>;
  [[nodiscard]] Sampling on_two_streams(const SamplingRule& rule, const TwoStreamWork& work, bool gated,
                                        std::int64_t operations);
  /// Time of the host for `work`, divided by `operations`; the device may be at work still when it ends.
  [[nodiscard]] Sampling of_host(const SamplingRule& rule, const TwoStreamWork& work, std::int64_t operations);

  /// Of the SMs, latest seen and lowest seen [Hz]; 0 before the first sample.
  [[nodiscard]] double latest_sm_hz() const { return latest_sm_hz_; }
  [[nodiscard]] double lowest_sm_hz() const { return lowest_sm_hz_; }

 private:
  void flush(cudaStream_t stream, Caches caches);
  [[nodiscard]] double clock_ratio();
  void require_held();

  double default_sm_hz_;
  HostClock now_s_;
  cuda::Memory<std::byte> flushed_;
  cuda::Stream compute_{cuda::Stream::Priority::low};
  cuda::Stream transfer_{cuda::Stream::Priority::high};
  cuda::ClockProbe before_, after_;
  std::unique_ptr<cuda::Gate> gate_;
  cuda::Event start_, end_, other_start_, other_end_;
  cuda::Event fork_{cuda::Event::Kind::ordering}, join_{cuda::Event::Kind::ordering};
  double latest_sm_hz_ = 0;
  double lowest_sm_hz_ = 0;
};

}  // namespace ringsim::calibrate
