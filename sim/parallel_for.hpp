#pragma once
// Work on the elements of a list by several threads. Every element has a place of its own for its result, so results do not
// depend on the number of threads; what is thrown is thrown again, that of the first element of several.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace ringsim::sim {

/// Cores of this machine that may be used; at least 1.
[[nodiscard]] inline std::size_t available_threads() {
  return std::max<std::size_t>(1, std::thread::hardware_concurrency());
}

/// Calls `work(i)` for i in [0, count), by at most `threads` threads (0: all cores).
template <class Work>
void parallel_for(std::size_t count, std::size_t threads, const Work& work) {
  if (threads == 0) threads = available_threads();
  threads = std::min(threads, count);
  std::vector<std::exception_ptr> failures(count);
  std::atomic<std::size_t> next{0};
  const auto take = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  if (threads <= 1) {
    take();
  } else {
    std::vector<std::jthread> workers;
    for (std::size_t t = 0; t < threads; ++t) workers.emplace_back(take);
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace ringsim::sim
