#pragma once
// Whole numbers that all ranks count on without rank 0 having to answer: a window on rank 0 and one-sided atomics (MPI-3,
// MPI_Fetch_and_op).

#include "kernels/host/mpi/communicator.hpp"

#include <cstddef>
#include <cstdint>

namespace ringsim::host {

class SharedCounters {
 public:
  /// Collective. All start at 0.
  SharedCounters(const Communicator& ranks, std::size_t count);
  /// Collective.
  ~SharedCounters();
  SharedCounters(const SharedCounters&) = delete;
  SharedCounters& operator=(const SharedCounters&) = delete;
  SharedCounters(SharedCounters&&) = delete;
  SharedCounters& operator=(SharedCounters&&) = delete;

  /// Adds, and returns what was there before. No two ranks get the same. Not collective.
  std::int64_t add(std::size_t counter, std::int64_t amount) const;
  [[nodiscard]] std::int64_t read(std::size_t counter) const { return add(counter, 0); }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace ringsim::host
