#pragma once
// What a device really did, and when: CUPTI's records of kernels and copies. They show whether a copy used a copy
// engine or SMs, and what ran at the same time. Recording slows launches down, so it belongs in runs of its own, never
// in those that are timed.

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::cuda {

struct ActivityRecord {
  enum class Kind { kernel, copy, copy_between_devices };
  enum class Channel { unknown, sms, copy_engine, other };
  Kind kind = Kind::kernel;
  std::string name;            // of a kernel, as the compiler names it; of a copy empty
  std::uint64_t start_ns = 0;  // on the device, by CUPTI's clock
  std::uint64_t end_ns = 0;
  std::uint32_t device = 0;
  std::uint32_t stream = 0;            // CUPTI's number of the stream
  std::uint64_t bytes = 0;             // of a copy
  Channel channel = Channel::unknown;  // what it went through: of a kernel always the SMs
};

/// Records between its construction and stop(). One at a time in a process.
class ActivityTrace {
 public:
  /// Throws MissingLibrary where there is no CUPTI, Error where it cannot record or a trace is already under way.
  ActivityTrace();
  ~ActivityTrace();
  ActivityTrace(const ActivityTrace&) = delete;
  ActivityTrace& operator=(const ActivityTrace&) = delete;
  /// Waits for the current device and gives all records, by their start; what other devices are still doing is not in
  /// them. Throws Error where CUPTI had to drop some.
  [[nodiscard]] std::vector<ActivityRecord> stop();

 private:
  bool running_ = false;
};

}  // namespace ringsim::cuda
