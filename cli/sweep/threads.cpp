#include "cli/sweep/threads.hpp"

#include "cli/sweep/evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace ringsim::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double block_seconds = 0.01;
constexpr std::size_t blocks_per_thread = 16;

// What the threads share; all of it under one mutex, which each block takes twice.
struct Shared {
  std::mutex mutex;
  std::condition_variable room;   // a block has been written, or all ends
  std::condition_variable ready;  // a block has come
  std::int64_t next = 0;          // point that nobody has taken
  std::int64_t points = 0;
  std::size_t open = 0;  // blocks at work or waiting for their turn
  std::size_t most_open = 0;
  std::size_t working = 0;  // threads
  bool stop = false;
  std::exception_ptr failure;
  InOrder in_order{0};
};

void work(const SweepJob& job, Shared& shared) {
  try {
    Evaluator evaluator(job);
    BlockSize size(block_seconds);
    for (;;) {
      RowBlock block;
      {
        std::unique_lock lock(shared.mutex);
        shared.room.wait(lock, [&] { return shared.stop || shared.open < shared.most_open; });
        if (shared.stop || shared.next >= shared.points) break;
        block.first = shared.next;
        block.count = std::min(size.points(), shared.points - shared.next);
        shared.next += block.count;
        ++shared.open;
      }
      const auto start = Clock::now();
      const std::int64_t failed = evaluator.failed();
      evaluator.append_rows(block.first, block.count, block.rows);
      block.failed = evaluator.failed() - failed;
      size.took(block.count, std::chrono::duration<double>(Clock::now() - start).count());
      {
        const std::lock_guard lock(shared.mutex);
        shared.in_order.put(std::move(block));
      }
      shared.ready.notify_one();
    }
  } catch (...) {
    const std::lock_guard lock(shared.mutex);
    if (!shared.failure) shared.failure = std::current_exception();
    shared.stop = true;
    shared.room.notify_all();
  }
  const std::lock_guard lock(shared.mutex);
  --shared.working;
  shared.ready.notify_one();
}

// Threads that end with this object, whatever happens.
class Threads {
 public:
  Threads(const SweepJob& job, Shared& shared, unsigned count) : shared_(shared) {
    for (unsigned i = 0; i < count; ++i) threads_.emplace_back([&job, &shared] { work(job, shared); });
  }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  Threads(Threads&&) = delete;
  Threads& operator=(Threads&&) = delete;
  ~Threads() {
    {
      const std::lock_guard lock(shared_.mutex);
      shared_.stop = true;
    }
    shared_.room.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

 private:
  Shared& shared_;
  std::vector<std::thread> threads_;
};

}  // namespace

SweepOutcome run_on_threads(const SweepJob& job, const SweepRun& run) {
  SweepOutcome outcome;
  Shared shared;
  shared.next = run.first;
  shared.points = run.points;
  shared.in_order = InOrder(run.first);
  const unsigned threads = run.threads == 0 ? 1 : run.threads;
  shared.most_open = blocks_per_thread * threads;
  shared.working = threads;
  const Threads all(job, shared, threads);
  for (;;) {
    std::size_t blocks = 0;
    RowBlock ready;
    bool ended = false;
    {
      std::unique_lock lock(shared.mutex);
      shared.ready.wait_for(lock, std::chrono::milliseconds(100),
                            [&] { return shared.in_order.ready() || shared.working == 0; });
      if (run.stop != nullptr && *run.stop != 0) shared.stop = true;
      ended = shared.working == 0;
      ready = shared.in_order.take(blocks);
      shared.open -= blocks;
    }
    shared.room.notify_all();
    if (ready.count > 0) run.write(ready.rows);
    outcome.written += ready.count;
    outcome.failed += ready.failed;
    if (run.progress) run.progress(run.first + outcome.written);
    if (ended) break;
  }
  if (shared.failure) std::rethrow_exception(shared.failure);
  outcome.stopped = run.first + outcome.written < run.points;
  return outcome;
}

}  // namespace ringsim::cli
