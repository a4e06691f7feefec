#pragma once
// Emulated GPUs: what tests set and ask about the runtime behind tests/emulated/include/cuda_runtime.h.
//
// Deferred. A call that enqueues puts an operation on a list and returns; operations are executed when the host synchronises,
// one after the other on the CPU, and only until what the host waits for has happened. Which of them comes next is the order's
// choice among those that CUDA allows: an operation waits for the one before it on its stream, a wait for the record of its
// event that was the latest when the wait was enqueued, the default stream and blocking streams for each other. So a missing
// wait is a wrong result in some order, and reading what has not been synchronised for is reading what was there before.
// Memory is poisoned (0xff: NaN) when it is allocated, and has guard bytes around it that are looked at when it is freed.
//
// Virtual time. Every operation has a beginning and an end on its device's clock: it begins when all that it waits for has
// ended, not before it has been enqueued, and takes a modelled time (bytes at a rate, a fixed time for a kernel). All streams
// run at once in this time, whatever the order in which they are executed here, and nothing slows anything down. The timer that
// kernels read (<ringsim_timer.cuh>) advances with every look and with every sleep, so that a kernel that waits for a time comes
// to it; every block of a grid begins at the grid's beginning, and the grid ends with its last block. Events take times from it.
//
// Not emulated: contention, blocks that talk to each other while running, a kernel that waits for what a later operation does
// (it sees what is there when it is executed), managed memory, textures, stream-ordered allocation, several processes.

#include "tests/emulated/block.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace ringsim::emulated {

enum class Order {
  issue,                // as enqueued
  random,               // any allowed order, by the seed
  high_priority_first,  // streams of high priority (transfers) run as far ahead as they may
  low_priority_first    // streams of high priority run only when nothing else can
};

struct Settings {
  int devices = 1;  // 0: cudaGetDeviceCount says that there is none
  bool driver = true;
  Order order = Order::issue;
  std::uint64_t seed = 0;

  int major = 9;
  int minor = 0;
  int sms = 132;
  std::size_t memory_bytes = std::size_t{8} << 30U;
  int copy_engines = 3;
  double sm_clock_hz = 1.98e9;

  // Virtual times: not those of any GPU, and round so that tests can add them up.
  double host_call_s = 1e-6;                         // of every call on the host
  double launch_s = 4e-6;                            // from the call to the earliest beginning on the device
  double kernel_s = 2e-6;                            // a kernel, apart from what it waits for
  double memory_bytes_per_s = 2e12;                  // a copy inside a device, a fill
  double host_bytes_per_s = 50e9;                    // a copy between host and device
  double peer_bytes_per_s = 400e9;                   // a copy between devices
  double timer_look_s = 32e-9;                       // between two looks at a timer
  std::function<double(const Grid&)> kernel_time_s;  // instead of kernel_s, if set
};

/// Forgets all that was there, without complaint: memory, streams, events, graphs, what was enqueued, errors; new settings.
void reset(Settings settings = {});
[[nodiscard]] const Settings& settings();
/// From the next choice on.
void set_order(Order order, std::uint64_t seed = 0);

/// Allocated and not freed, on devices and on the host; made and not destroyed.
struct Alive {
  std::size_t allocations = 0;
  std::size_t streams = 0;
  std::size_t events = 0;
  std::size_t graphs = 0;
  [[nodiscard]] bool none() const { return allocations + streams + events + graphs == 0; }
};
[[nodiscard]] Alive alive();

/// Of the latest call that failed: a sentence; empty: none.
[[nodiscard]] std::string problem();
/// Whether some guard bytes are not what they were: names the allocation; empty: all are well.
[[nodiscard]] std::string broken_guards();
/// Operations that are waiting to be executed.
[[nodiscard]] std::size_t pending();
/// The host's clock [s]: calls take time, synchronising waits.
[[nodiscard]] double host_time_s();

/// For kernels (<ringsim_timer.cuh>): the device's clock [ns], the SM's cycles since the same beginning, a pause.
[[nodiscard]] std::uint64_t timer_ns();
[[nodiscard]] std::int64_t timer_cycles();
void timer_sleep(unsigned nanoseconds);

}  // namespace ringsim::emulated
