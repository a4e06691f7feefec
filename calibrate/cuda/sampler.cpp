#include "calibrate/cuda/sampler.hpp"

#include "models/error.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace ringsim::calibrate {
namespace {

// At least 256 MiB and four times the cache: what was in it is gone, whatever its policy of replacement.
std::size_t bytes_to_flush(const cuda::DeviceInfo& device) {
  return std::max(std::size_t{256} << 20U, 4 * static_cast<std::size_t>(device.l2_bytes));
}

// A stream held back until release(), or until an exception leaves: else everything after it would wait for the gate to give up.
class Held {
 public:
  Held(cuda::Gate& gate, cudaStream_t stream) : gate_(gate) { gate_.close(stream); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { gate_.release(); }
  void release() { gate_.release(); }

 private:
  cuda::Gate& gate_;
};

}  // namespace

GpuSampler::GpuSampler(const cuda::DeviceInfo& device, HostClock now_s, std::size_t flush_bytes)
    : default_sm_hz_(device.sm_clock_hz),
      now_s_(std::move(now_s)),
      flushed_(flush_bytes > 0 ? flush_bytes : bytes_to_flush(device)),
      gate_(std::make_unique<cuda::Gate>()) {}

// A gate that has given up once says so for good: the next benchmark gets another.
void GpuSampler::require_held() {
  if (!gate_->timed_out()) return;
  gate_ = std::make_unique<cuda::Gate>();
  throw Error("the device went on by itself before all of a sample had been enqueued", "calibrate --device cuda",
              "the host is too busy, or what is measured waits for the device while it is enqueued");
}

void GpuSampler::flush(cudaStream_t stream, Caches caches) {
  if (caches == Caches::warm) return;
  cuda::check(cudaMemsetAsync(flushed_.data(), 0, flushed_.bytes(), stream), "cudaMemsetAsync");
}

double GpuSampler::clock_ratio() {
  const double before_hz = before_.sm_hz();
  latest_sm_hz_ = after_.sm_hz();
  const double lower_hz = std::min(before_hz, latest_sm_hz_);
  lowest_sm_hz_ = lowest_sm_hz_ > 0 ? std::min(lowest_sm_hz_, lower_hz) : lower_hz;
  return default_sm_hz_ / lower_hz;
}

Sampling GpuSampler::alone(const SamplingRule& rule, const Work& work, Caches caches, std::int64_t operations) {
  // Modules that are loaded at the first launch may wait for the device, which must not stand at the gate then.
  work(compute_.get());
  compute_.synchronize();
  return samples_until(rule, 1, now_s_, [&] {
    cudaStream_t stream = compute_.get();
    flush(stream, caches);
    before_.enqueue(stream);
    Held held(*gate_, stream);
    start_.record(stream);
    work(stream);
    end_.record(stream);
    after_.enqueue(stream);
    held.release();
    compute_.synchronize();
    require_held();
    return PartTimes{{cuda::seconds_between(start_, end_) / static_cast<double>(operations)}, clock_ratio()};
  })[0];
}

Sampling GpuSampler::transfer_alone(const SamplingRule& rule, const Work& work) {
  std::swap(compute_, transfer_);
  try {
    Sampling sampling = alone(rule, work);
    std::swap(compute_, transfer_);
    return sampling;
  } catch (...) {
    std::swap(compute_, transfer_);
    throw;
  }
}

std::vector<Sampling> GpuSampler::beside(const SamplingRule& rule, const Work& kernel, const Work& transfer,
                                         bool kernel_first) {
  kernel(compute_.get());
  transfer(transfer_.get());
  compute_.synchronize();
  transfer_.synchronize();
  return samples_until(rule, 2, now_s_, [&] {
    cudaStream_t first = kernel_first ? compute_.get() : transfer_.get();
    cudaStream_t second = kernel_first ? transfer_.get() : compute_.get();
    flush(first, Caches::cold);
    before_.enqueue(first);
    Held held(*gate_, first);
    fork_.record(first);
    start_.record(first);
    (kernel_first ? kernel : transfer)(first);
    end_.record(first);
    fork_.hold_back(second);
    other_start_.record(second);
    (kernel_first ? transfer : kernel)(second);
    other_end_.record(second);
    join_.record(second);
    join_.hold_back(first);
    after_.enqueue(first);
    held.release();
    compute_.synchronize();
    transfer_.synchronize();
    require_held();
    PartTimes times{{cuda::seconds_between(start_, end_), cuda::seconds_between(other_start_, other_end_)},
                    clock_ratio()};
    if (!kernel_first) std::swap(times.times_s[0], times.times_s[1]);
    return times;
  });
}

Sampling GpuSampler::on_two_streams(const SamplingRule& rule, const TwoStreamWork& work, bool gated,
                                    std::int64_t operations) {
  work(compute_.get(), transfer_.get());
  compute_.synchronize();
  transfer_.synchronize();
  return samples_until(rule, 1, now_s_, [&] {
    before_.enqueue(compute_.get());
    std::optional<Held> held;
    if (gated) held.emplace(*gate_, compute_.get());
    start_.record(compute_.get());
    work(compute_.get(), transfer_.get());
    end_.record(compute_.get());
    after_.enqueue(compute_.get());
    if (held) held->release();
    compute_.synchronize();
    transfer_.synchronize();
    if (gated) require_held();
    return PartTimes{{cuda::seconds_between(start_, end_) / static_cast<double>(operations)}, clock_ratio()};
  })[0];
}

Sampling GpuSampler::of_host(const SamplingRule& rule, const TwoStreamWork& work, std::int64_t operations) {
  work(compute_.get(), transfer_.get());
  compute_.synchronize();
  transfer_.synchronize();
  return samples_until(rule, 1, now_s_, [&] {
    const double start_s = now_s_();
    work(compute_.get(), transfer_.get());
    const double time_s = now_s_() - start_s;
    compute_.synchronize();
    transfer_.synchronize();
    return PartTimes{{time_s / static_cast<double>(operations)}, 1};
  })[0];
}

}  // namespace ringsim::calibrate
