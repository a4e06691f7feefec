#pragma once
// Threads that share out numbered tasks again and again: a run has thousands of rounds of some hundred microseconds, too short to
// start threads for each.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace ringsim::sim {

class WorkerPool {
 public:
  /// Called with the number of a task and that of the worker, 0 ... workers - 1. Must not throw.
  using Task = std::function<void(std::int64_t, int)>;

  /// The caller is one of the workers: one less is started. At least 1.
  explicit WorkerPool(int workers);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  WorkerPool(WorkerPool&&) = delete;
  WorkerPool& operator=(WorkerPool&&) = delete;

  [[nodiscard]] int workers() const { return static_cast<int>(threads_.size()) + 1; }
  /// Runs tasks 0 ... count - 1, each once, and returns when all are done; what they wrote can then be read.
  void run(std::int64_t count, const Task& task);

 private:
  void work(int worker);
  void take_tasks(int worker);

  std::vector<std::thread> threads_;
  const Task* task_ = nullptr;  // of this round
  std::int64_t count_ = 0;
  std::atomic<std::int64_t> next_{0};    // task that nobody has taken
  std::atomic<std::uint64_t> round_{0};  // counts up when one begins
  std::atomic<int> busy_{0};             // threads that have not finished this round
  bool stopping_ = false;
  // A thread that has looked for a new round for a while sleeps until there is one.
  std::mutex mutex_;
  std::condition_variable begins_;
  std::condition_variable ends_;
};

}  // namespace ringsim::sim
