// Clocks as a kernel sees them. All threads of a block share one, which begins at the grid's beginning.

#include "tests/emulated/runtime_state.hpp"

#include <algorithm>

namespace ringsim::emulated {
namespace {

struct KernelClock {
  double begin_s = 0;
  double sm_clock_hz = 0;
  double look_s = 0;
  double passed_s = 0;   // in this block
  double longest_s = 0;  // of the blocks before it
};
KernelClock& clock() {
  static KernelClock kept;
  return kept;
}

}  // namespace

void begin_kernel(double begin_s, double sm_clock_hz, double look_s) { clock() = {begin_s, sm_clock_hz, look_s, 0, 0}; }

void begin_block() {
  clock().longest_s = std::max(clock().longest_s, clock().passed_s);
  clock().passed_s = 0;
}

double end_kernel() {
  begin_block();
  return clock().longest_s;
}

std::uint64_t timer_ns() {
  clock().passed_s += clock().look_s;
  return static_cast<std::uint64_t>((clock().begin_s + clock().passed_s) * 1e9);
}

std::int64_t timer_cycles() {
  clock().passed_s += clock().look_s;
  return static_cast<std::int64_t>((clock().begin_s + clock().passed_s) * clock().sm_clock_hz);
}

void timer_sleep(unsigned nanoseconds) { clock().passed_s += 1e-9 * nanoseconds; }

}  // namespace ringsim::emulated
