#include "kernels/host/mpi/communicator.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <ctime>
#include <exception>
#include <numeric>

namespace ringsim::host {

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void check_mpi(int result, const char* operation) {
  if (result == MPI_SUCCESS) return;
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  text.resize(static_cast<std::size_t>(length));
  throw Error(fmt::format("{} failed: {}", operation, text));
}

Communicator::Communicator(Nodes nodes) : uncaught_(std::uncaught_exceptions()) {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
  world_ = MPI_COMM_WORLD;
  check_mpi(MPI_Comm_set_errhandler(world_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check_mpi(MPI_Comm_rank(world_, &rank_), "MPI_Comm_rank");
  check_mpi(MPI_Comm_size(world_, &size_), "MPI_Comm_size");
  MPI_Comm node = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node), "MPI_Comm_split_type");
  int on_node = 0;
  check_mpi(MPI_Comm_size(node, &on_node), "MPI_Comm_size");
  check_mpi(MPI_Comm_free(&node), "MPI_Comm_free");
  if (nodes == Nodes::any) on_node = size_;
  // Whoever throws must not leave MPI open: the destructor of an object that was not made does not run.
  if (provided < MPI_THREAD_SERIALIZED || on_node != size_) {
    MPI_Finalize();
    if (on_node == size_) {
      throw Error("this MPI cannot be called from more than one thread", {}, "an MPI with MPI_THREAD_SERIALIZED");
    }
    throw Error(fmt::format("{} of {} ranks run on this node, the others elsewhere", on_node, size_), "mpirun",
                "all ranks on one node: the times of ranks are compared, and nodes have clocks of their own");
  }
}

Communicator::~Communicator() {
  if (std::uncaught_exceptions() > uncaught_) MPI_Abort(world_, 1);
  MPI_Finalize();
}

void Communicator::barrier() const { check_mpi(MPI_Barrier(world_), "MPI_Barrier"); }

double Communicator::start_together() const {
  // Long enough for the message to reach all ranks, short enough that no core falls asleep.
  constexpr double ahead_s = 200e-6;
  barrier();
  const double start = broadcast(now_s() + ahead_s);
  while (now_s() < start) {
  }
  return start;
}

double Communicator::broadcast(double value) const {
  check_mpi(MPI_Bcast(&value, 1, MPI_DOUBLE, 0, world_), "MPI_Bcast");
  return value;
}

std::vector<std::vector<double>> Communicator::gather(std::span<const double> values) const {
  const auto ranks = static_cast<std::size_t>(rank_ == 0 ? size_ : 0);
  const auto own = static_cast<int>(values.size());
  std::vector<int> counts(ranks);
  check_mpi(MPI_Gather(&own, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, world_), "MPI_Gather");
  std::vector<int> firsts(ranks);
  std::exclusive_scan(counts.begin(), counts.end(), firsts.begin(), 0);
  std::vector<double> all(ranks == 0 ? 0 : static_cast<std::size_t>(firsts.back() + counts.back()));
  check_mpi(
      MPI_Gatherv(values.data(), own, MPI_DOUBLE, all.data(), counts.data(), firsts.data(), MPI_DOUBLE, 0, world_),
      "MPI_Gatherv");
  std::vector<std::vector<double>> by_rank;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    by_rank.emplace_back(all.begin() + firsts[rank], all.begin() + firsts[rank] + counts[rank]);
  }
  return by_rank;
}

double Communicator::maximum(double value) const {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, world_), "MPI_Allreduce");
  return value;
}

double Communicator::sum(double value) const {
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, world_), "MPI_Allreduce");
  return value;
}

void Communicator::abort(int exit_code) const {
  MPI_Abort(world_, exit_code);
  std::terminate();  // not reached: MPI_Abort does not return
}

std::string Communicator::library_version() {
  std::string text(MPI_MAX_LIBRARY_VERSION_STRING, '\0');
  int length = 0;
  check_mpi(MPI_Get_library_version(text.data(), &length), "MPI_Get_library_version");
  text.resize(static_cast<std::size_t>(length));
  return text.substr(0, text.find_first_of("\n\0", 0, 2));
}

}  // namespace ringsim::host
