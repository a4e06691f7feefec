#pragma once
// One hop of the ring as executors do it: every rank sends to the next one and receives from the one before, all messages
// of a grouped operation at once (MPI_Isend, MPI_Irecv), and moves on in progress().

#include "kernels/host/mpi/communicator.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace ringsim::host {

class Exchange {
 public:
  /// On a communicator of its own: nothing else that the ranks say to each other gets in between. Collective.
  explicit Exchange(const Communicator& ranks);
  ~Exchange();
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  Exchange(Exchange&&) = delete;
  Exchange& operator=(Exchange&&) = delete;

  /// Starts an exchange; the one before must have ended. Message i of a rank's `outgoing` is message i of the next rank's
  /// `incoming` and has its size. The memory must stay until progress() has returned true. Does not wait.
  void post(std::span<const std::span<const std::byte>> outgoing, std::span<const std::span<std::byte>> incoming);
  /// Moves bytes; true once all is sent and received (or nothing was posted). Does not wait. One thread at a time.
  bool progress();
  /// post() and progress() until all is done.
  void run(std::span<const std::span<const std::byte>> outgoing, std::span<const std::span<std::byte>> incoming);

  // Of the latest exchange [s, now_s()]. The ends are when progress() noticed them.
  [[nodiscard]] double posted_s() const { return posted_s_; }
  [[nodiscard]] double received_s() const { return received_s_; }  // all that comes in is here
  [[nodiscard]] double done_s() const { return done_s_; }          // and all that goes out has left

 private:
  MPI_Comm ranks_ = MPI_COMM_NULL;
  int next_ = 0;
  int previous_ = 0;
  std::vector<MPI_Request> receives_;
  std::vector<MPI_Request> sends_;
  bool receiving_ = false;
  bool sending_ = false;
  double posted_s_ = 0;
  double received_s_ = 0;
  double done_s_ = 0;
};

}  // namespace ringsim::host
