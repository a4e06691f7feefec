#pragma once
// A stream whose kernels run on some of a device's SMs alone, a "green context". It bounds the SMs of kernels that
// cannot be told themselves, as cuDNN's. Kernels of other streams may use these SMs as well.

#include <cuda_runtime.h>

#include <memory>

namespace ringsim::cuda {

struct DriverLibrary;

class GreenContext {
 public:
  /// At least `sms` SMs, up to the next size that the device can be divided by: on Hopper multiples of 8. Throws Error
  /// where there is no device or it has fewer SMs, MissingLibrary where the driver has no green contexts.
  GreenContext(int device, int sms);
  /// As above with functions that are given and outlive the object: for tests without a device.
  GreenContext(int device, int sms, const DriverLibrary& library);
  ~GreenContext();
  GreenContext(GreenContext&&) noexcept;
  GreenContext& operator=(GreenContext&&) noexcept;
  GreenContext(const GreenContext&) = delete;
  GreenContext& operator=(const GreenContext&) = delete;
  /// How many SMs it has got.
  [[nodiscard]] int sms() const;
  /// Does not synchronise with the default stream.
  [[nodiscard]] cudaStream_t stream() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringsim::cuda
