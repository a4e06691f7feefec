#include "kernels/host/mpi/shared_counters.hpp"

#include <algorithm>

namespace ringsim::host {

SharedCounters::SharedCounters(const Communicator& ranks, std::size_t count) {
  const std::size_t own = ranks.rank() == 0 ? count : 0;
  std::int64_t* memory = nullptr;
  check_mpi(MPI_Win_allocate(static_cast<MPI_Aint>(own * sizeof(std::int64_t)), sizeof(std::int64_t), MPI_INFO_NULL,
                             ranks.handle(), static_cast<void*>(&memory), &window_),
            "MPI_Win_allocate");
  std::fill_n(memory, own, std::int64_t{0});
  check_mpi(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_), "MPI_Win_lock_all");
  check_mpi(MPI_Win_sync(window_), "MPI_Win_sync");
  ranks.barrier();
}

SharedCounters::~SharedCounters() {
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

std::int64_t SharedCounters::add(std::size_t counter, std::int64_t amount) const {
  std::int64_t before = 0;
  check_mpi(MPI_Fetch_and_op(&amount, &before, MPI_INT64_T, 0, static_cast<MPI_Aint>(counter), MPI_SUM, window_),
            "MPI_Fetch_and_op");
  check_mpi(MPI_Win_flush(0, window_), "MPI_Win_flush");
  return before;
}

}  // namespace ringsim::host
