#pragma once
// Small kernels that benchmarks time, or that keep time for them.

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <memory>

namespace ringsim::cuda {

/// A kernel of one thread that does nothing: what a launch costs.
void empty_kernel(cudaStream_t stream);

/// Reads `bytes` (a multiple of 16) from `from` and writes them to `to`, all SMs: what memory can move.
void stream_copy(void* to, const void* from, std::size_t bytes, cudaStream_t stream);

/// Random normal numbers (mean 0, variance 1) in bf16, a function of seed and index: the same on every machine.
void fill_normal(std::uint16_t* to, std::size_t count, std::uint64_t seed, cudaStream_t stream);

/// Two readings of the SM's cycle counter and of the global timer, `cycles` cycles apart: their ratio is the SM's clock, without NVML.
class ClockProbe {
 public:
  ClockProbe();
  ~ClockProbe();
  ClockProbe(ClockProbe&&) noexcept;
  ClockProbe& operator=(ClockProbe&&) noexcept;
  ClockProbe(const ClockProbe&) = delete;
  ClockProbe& operator=(const ClockProbe&) = delete;
  void enqueue(cudaStream_t stream, std::int64_t cycles = 20000);
  /// Of the latest enqueue() that has been executed [Hz]. Throws Error where the timer did not move.
  [[nodiscard]] double sm_hz() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Holds a stream back until release() is called on the host, so that what is enqueued behind it starts without gaps of the
/// host's. Gives up by itself after `timeout_s`, which timed_out() tells.
class Gate {
 public:
  explicit Gate(double timeout_s = 10);
  ~Gate();
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;
  void close(cudaStream_t stream);
  void release();
  [[nodiscard]] bool timed_out() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringsim::cuda
