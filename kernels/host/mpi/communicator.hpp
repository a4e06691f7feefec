#pragma once
// The processes of an MPI run, and one clock for all of them.
//
// Whoever compares times of different ranks needs all ranks on one node: there CLOCK_MONOTONIC is the same clock for all
// processes. Between nodes it is not, and the constructor refuses (Nodes::one).

#include <mpi.h>

#include <span>
#include <string>
#include <vector>

namespace ringsim::host {

/// Seconds of CLOCK_MONOTONIC, the same for all processes of a node.
[[nodiscard]] double now_s();

/// Throws Error with MPI's own text if `result` is not MPI_SUCCESS.
void check_mpi(int result, const char* operation);

/// Where ranks may run: on one node where their times are compared, anywhere else where they are not.
enum class Nodes { one, any };

/// MPI from construction to destruction; one at a time in a process. All calls are collective unless stated otherwise.
/// An exception that leaves the object's scope ends all ranks (MPI_Abort), since the others would wait for ever, and this
/// process at once: who wants to say why catches it inside, says so and calls abort().
class Communicator {
 public:
  /// Throws Error where MPI cannot start, gives no thread support, or has put the ranks on several nodes where they may not be.
  explicit Communicator(Nodes nodes = Nodes::one);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;
  Communicator(Communicator&&) = delete;
  Communicator& operator=(Communicator&&) = delete;

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] int next() const { return (rank_ + 1) % size_; }
  [[nodiscard]] int previous() const { return (rank_ + size_ - 1) % size_; }

  void barrier() const;
  /// A barrier that all ranks leave at nearly the same time (within about a microsecond where each has a core): rank 0 names a
  /// moment shortly ahead and all spin until then. Returns that moment [s].
  double start_together() const;

  /// The value of rank 0.
  [[nodiscard]] double broadcast(double value) const;
  /// The lists of all ranks, by rank, which may differ in length; on rank 0, empty elsewhere.
  [[nodiscard]] std::vector<std::vector<double>> gather(std::span<const double> values) const;
  [[nodiscard]] double maximum(double value) const;  // over all ranks, on all ranks
  [[nodiscard]] double sum(double value) const;      // likewise

  /// Ends all ranks at once. Not collective.
  [[noreturn]] void abort(int exit_code) const;

  /// "Open MPI v4.1.4, ...", one line. Not collective.
  [[nodiscard]] static std::string library_version();

  [[nodiscard]] MPI_Comm handle() const { return world_; }

 private:
  MPI_Comm world_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
  int uncaught_ = 0;
};

}  // namespace ringsim::host
