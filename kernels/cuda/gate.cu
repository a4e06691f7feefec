// A kernel of one thread that waits for a word of the host's.

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/pinned.hpp"
#include "kernels/cuda/probes.hpp"

#include <ringsim_timer.cuh>

#include <atomic>
#include <cstdint>

namespace ringsim::cuda {
namespace {

struct Words {
  std::uint32_t released = 0;   // gates up to this number are open
  std::uint32_t timed_out = 0;  // whether one gave up
};

__global__ void hold(volatile Words* words, std::uint32_t number, std::uint64_t timeout_ns) {
  const std::uint64_t begin = global_time_ns();
  // Numbers may wrap around, so it is the difference that counts.
  while (static_cast<std::int32_t>(number - words->released) > 0) {
    if (global_time_ns() - begin > timeout_ns) {
      words->timed_out = 1;
      return;
    }
    pause_ns(200);
  }
}

}  // namespace

struct Gate::State {
  Pinned<Words> words;
  std::uint32_t closed = 0;  // number of the latest gate
  std::uint64_t timeout_ns = 0;
};

Gate::Gate(double timeout_s) : state_(std::make_unique<State>()) {
  state_->timeout_ns = static_cast<std::uint64_t>(timeout_s * 1e9);
}

// Nothing that waits is left behind; giving the words back waits for it.
Gate::~Gate() { release(); }

void Gate::close(cudaStream_t stream) {
  ++state_->closed;
  launch("gate", hold, {}, stream, state_->words.get(), state_->closed, state_->timeout_ns);
}

void Gate::release() {
  std::atomic_ref<std::uint32_t>(state_->words->released).store(state_->closed, std::memory_order_release);
}

bool Gate::timed_out() const {
  return std::atomic_ref<std::uint32_t>(state_->words->timed_out).load(std::memory_order_acquire) != 0;
}

}  // namespace ringsim::cuda
