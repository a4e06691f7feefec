#include "sim/recurrence/worker_pool.hpp"

#include <cassert>

namespace ringsim::sim {
namespace {

// Looks at a condition for some microseconds: rounds follow each other that fast, and waking a thread takes as long. Other threads
// that need the processor get it.
template <class Condition>
bool comes_soon(const Condition& condition) {
  constexpr int looks = 200;
  for (int i = 0; i < looks; ++i) {
    if (condition()) return true;
    if (i % 16 == 15) std::this_thread::yield();
  }
  return false;
}

}  // namespace

WorkerPool::WorkerPool(int workers) {
  assert(workers >= 1);
  for (int w = 1; w < workers; ++w) threads_.emplace_back([this, w] { work(w); });
}

WorkerPool::~WorkerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    round_.fetch_add(1, std::memory_order_release);
  }
  begins_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void WorkerPool::run(std::int64_t count, const Task& task) {
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_.store(0, std::memory_order_relaxed);
    busy_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    round_.fetch_add(1, std::memory_order_release);
  }
  begins_.notify_all();
  take_tasks(0);
  const auto ended = [this] { return busy_.load(std::memory_order_acquire) == 0; };
  if (!comes_soon(ended)) {
    std::unique_lock lock(mutex_);
    ends_.wait(lock, ended);
  }
}

void WorkerPool::take_tasks(int worker) {
  for (std::int64_t t = next_.fetch_add(1, std::memory_order_relaxed); t < count_;
       t = next_.fetch_add(1, std::memory_order_relaxed)) {
    (*task_)(t, worker);
  }
}

void WorkerPool::work(int worker) {
  for (std::uint64_t seen = 0;;) {
    const auto begun = [&] { return round_.load(std::memory_order_acquire) != seen; };
    if (!comes_soon(begun)) {
      std::unique_lock lock(mutex_);
      begins_.wait(lock, begun);
    }
    // No round begins before every thread has finished the one before: exactly one has begun.
    ++seen;
    if (stopping_) return;
    take_tasks(worker);
    if (busy_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      const std::lock_guard lock(mutex_);  // else the caller may miss it between looking and sleeping
      ends_.notify_one();
    }
  }
}

}  // namespace ringsim::sim
