#pragma once
// Owners of device memory, streams and events. Each belongs to the device that was current when it was made.

#include "kernels/cuda/error.hpp"

#include <cstddef>
#include <utility>

namespace ringsim::cuda {

/// Device memory of `size` elements.
template <class T>
class Memory {
 public:
  Memory() = default;
  explicit Memory(std::size_t size) : size_(size) {
    if (size > 0) check(cudaMalloc(reinterpret_cast<void**>(&data_), size * sizeof(T)), "cudaMalloc");
  }
  Memory(Memory&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, std::size_t{0})) {}
  Memory& operator=(Memory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    if (data_ != nullptr) static_cast<void>(cudaFree(data_));
  }
  [[nodiscard]] T* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t bytes() const { return size_ * sizeof(T); }
  /// All bits set: NaN in bf16 and in float. What is never written shows.
  void poison(cudaStream_t stream) {
    if (size_ > 0) check(cudaMemsetAsync(data_, 0xff, bytes(), stream), "cudaMemsetAsync");
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A stream that does not synchronise with the default stream.
class Stream {
 public:
  /// Of the scheduler's priorities: the least urgent for computation, the most urgent for transfers, whose kernels must find an
  /// SM while kernels of many blocks are running.
  enum class Priority { low, high };
  explicit Stream(Priority priority = Priority::low) {
    int least = 0;
    int greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    check(cudaStreamCreateWithPriority(&stream_, cudaStreamNonBlocking, priority == Priority::low ? least : greatest),
          "cudaStreamCreateWithPriority");
  }
  Stream(Stream&& other) noexcept : stream_(std::exchange(other.stream_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept {
    std::swap(stream_, other.stream_);
    return *this;
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if (stream_ != nullptr) static_cast<void>(cudaStreamDestroy(stream_));
  }
  [[nodiscard]] cudaStream_t get() const { return stream_; }
  void synchronize() const { check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

 private:
  cudaStream_t stream_ = nullptr;
};

/// With times, unless it only orders streams.
class Event {
 public:
  enum class Kind { timing, ordering };
  explicit Event(Kind kind = Kind::timing) {
    check(cudaEventCreateWithFlags(&event_, kind == Kind::timing ? cudaEventDefault : cudaEventDisableTiming),
          "cudaEventCreateWithFlags");
  }
  Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  Event& operator=(Event&& other) noexcept {
    std::swap(event_, other.event_);
    return *this;
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() {
    if (event_ != nullptr) static_cast<void>(cudaEventDestroy(event_));
  }
  [[nodiscard]] cudaEvent_t get() const { return event_; }
  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  void hold_back(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_, 0), "cudaStreamWaitEvent"); }
  void synchronize() const { check(cudaEventSynchronize(event_), "cudaEventSynchronize"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// Between two timing events that have happened [s].
[[nodiscard]] inline double seconds_between(const Event& first, const Event& second) {
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, first.get(), second.get()), "cudaEventElapsedTime");
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace ringsim::cuda
