// The SM's clock: cycles between two ticks of the global timer.
//
// The global timer may move in steps of a microsecond. Both readings are therefore taken just after it has moved: the
// difference is then a whole number of steps, and the error that of one look at the timer, some tens of cycles.

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/pinned.hpp"
#include "kernels/cuda/probes.hpp"
#include "models/error.hpp"

#include <ringsim_timer.cuh>

#include <cstdint>

namespace ringsim::cuda {
namespace {

struct Reading {
  std::uint64_t ns = 0;
  std::int64_t cycles = 0;
};

struct Readings {
  Reading first, second;
};

// Just after a tick; a timer that stands still is given up after `most_cycles`.
__device__ Reading read_after_tick(std::int64_t most_cycles) {
  const std::uint64_t before = global_time_ns();
  const std::int64_t begin = sm_cycles();
  Reading reading{before, begin};
  while (reading.ns == before && reading.cycles - begin < most_cycles) {
    reading.ns = global_time_ns();
    reading.cycles = sm_cycles();
  }
  return reading;
}

__global__ void probe(Readings* to, std::int64_t cycles) {
  constexpr std::int64_t most_cycles = 10'000'000;
  const Reading first = read_after_tick(most_cycles);
  while (sm_cycles() - first.cycles < cycles) {
  }
  const Reading second = read_after_tick(most_cycles);
  to->first = first;
  to->second = second;
}

}  // namespace

struct ClockProbe::State {
  Pinned<Readings> readings;
};

ClockProbe::ClockProbe() : state_(std::make_unique<State>()) {}
ClockProbe::~ClockProbe() = default;
ClockProbe::ClockProbe(ClockProbe&&) noexcept = default;
ClockProbe& ClockProbe::operator=(ClockProbe&&) noexcept = default;

void ClockProbe::enqueue(cudaStream_t stream, std::int64_t cycles) {
  launch("clock probe", probe, {}, stream, state_->readings.get(), cycles);
}

double ClockProbe::sm_hz() const {
  const volatile Readings& now = *state_->readings;
  const std::uint64_t begin_ns = now.first.ns;
  const std::uint64_t end_ns = now.second.ns;
  const auto cycles = static_cast<double>(now.second.cycles - now.first.cycles);
  if (end_ns <= begin_ns) {
    throw Error("the GPU's timer did not move while its clock was read", {}, "wait for the stream before asking");
  }
  return 1e9 * cycles / static_cast<double>(end_ns - begin_ns);
}

}  // namespace ringsim::cuda
