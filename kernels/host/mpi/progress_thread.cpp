#include "kernels/host/mpi/progress_thread.hpp"

#include <sys/prctl.h>

#include <chrono>
#include <utility>

namespace ringsim::host {

ProgressThread::ProgressThread(std::function<Poll()> poll) : poll_(std::move(poll)), thread_([this] { loop(); }) {}

ProgressThread::~ProgressThread() {
  stop_.store(true, std::memory_order_release);
  if (thread_.joinable()) thread_.join();
}

void ProgressThread::join() {
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
}

void ProgressThread::loop() {
  constexpr int polls_before_sleep = 50;
  constexpr auto pause = std::chrono::microseconds(20);
  // The kernel would let a sleeper sleep 50 µs longer than it asked for.
  prctl(PR_SET_TIMERSLACK, 1UL);
  try {
    for (int idle = 0; !stop_.load(std::memory_order_acquire);) {
      switch (poll_()) {
        case Poll::finished:
          return;
        case Poll::moved:
          idle = 0;
          break;
        case Poll::idle:
          if (++idle > polls_before_sleep) std::this_thread::sleep_for(pause);
          break;
      }
    }
  } catch (...) {
    failure_ = std::current_exception();
    failed_.store(true, std::memory_order_release);
  }
}

}  // namespace ringsim::host
