#pragma once
// A thread that advances transfers beside the compute thread, as a copy engine does. It polls, and where nothing moves it
// lets go of its core: after a short spin it sleeps about 20 µs between polls.

#include <atomic>
#include <exception>
#include <functional>
#include <thread>

namespace ringsim::host {

enum class Poll { idle, moved, finished };

class ProgressThread {
 public:
  /// Calls `poll` until it says that it is finished, it throws, or the object is destroyed.
  explicit ProgressThread(std::function<Poll()> poll);
  ~ProgressThread();
  ProgressThread(const ProgressThread&) = delete;
  ProgressThread& operator=(const ProgressThread&) = delete;
  ProgressThread(ProgressThread&&) = delete;
  ProgressThread& operator=(ProgressThread&&) = delete;

  /// True once `poll` has thrown; whoever waits for the thread asks, and then joins.
  [[nodiscard]] bool failed() const { return failed_.load(std::memory_order_acquire); }
  /// Waits until it has finished; rethrows what `poll` threw.
  void join();

 private:
  void loop();
  std::function<Poll()> poll_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> failed_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

}  // namespace ringsim::host
