#pragma once
// A sweep on the threads of this process: each takes blocks of points from a counter; the caller writes rows in order.
//
// A thread takes no further block while a few for each thread are at work or wait for their turn, so memory does not grow with the
// number of points, however uneven they are.

#include "cli/sweep/in_order.hpp"
#include "cli/sweep/job.hpp"

#include <csignal>
#include <cstdint>
#include <functional>
#include <string_view>

namespace ringsim::cli {

struct SweepOutcome {
  std::int64_t written = 0;  // points
  std::int64_t failed = 0;   // of them: rows with an error
  bool stopped = false;      // before the last point
};

struct SweepRun {
  std::int64_t first = 0;
  std::int64_t points = 0;  // the last is points - 1
  unsigned threads = 1;
  const volatile std::sig_atomic_t* stop = nullptr;  // set: no block is begun, what is complete is written
  std::function<void(std::string_view rows)> write;  // called by this thread alone, in order
  std::function<void(std::int64_t done)> progress;   // several times a second
};

/// Throws what a thread or `write` throws.
[[nodiscard]] SweepOutcome run_on_threads(const SweepJob& job, const SweepRun& run);

}  // namespace ringsim::cli
