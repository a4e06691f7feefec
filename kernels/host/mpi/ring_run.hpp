#pragma once
// One rank's part of a run over MPI: its streams, each in its order, and the times of all that they do.

#include "kernels/host/mpi/communicator.hpp"
#include "kernels/host/mpi/exchange.hpp"
#include "kernels/host/mpi/progress_thread.hpp"
#include "kernels/host/rank.hpp"
#include "kernels/host/recording.hpp"

#include <atomic>
#include <vector>

namespace ringsim::host {

/// How many instructions of each stream have been executed. A stream's own thread counts, any may look.
class StreamPositions {
 public:
  explicit StreamPositions(const IssueList& list) : list_(list), positions_(list.stream.size()) {}
  void reset();
  void advance(sim::StreamId stream) { positions_[stream].fetch_add(1, std::memory_order_release); }
  [[nodiscard]] std::size_t of(sim::StreamId stream) const {
    return positions_[stream].load(std::memory_order_acquire);
  }
  [[nodiscard]] bool passed(const WaitFor& wait) const;

 private:
  const IssueList& list_;
  std::vector<std::atomic<std::size_t>> positions_;
};

/// The transfer stream, which goes as far as it can whenever it is asked to.
template <class T>
class TransferStream {
 public:
  TransferStream(const IssueList& list, sim::StreamId stream, Rank<T>& rank, Exchange& exchange,
                 StreamPositions& positions)
      : list_(list), stream_(stream), rank_(rank), exchange_(exchange), positions_(positions) {}
  /// `times` takes the times of the run to come.
  void reset(std::vector<OperationTimes>& times);
  /// Posts, moves bytes, records. Does not wait.
  Poll advance();

 private:
  bool execute(const Instruction& instruction, OperationTimes& times);
  void post(const sim::Shift& shift, std::int64_t step);

  const IssueList& list_;
  sim::StreamId stream_;
  Rank<T>& rank_;
  Exchange& exchange_;
  StreamPositions& positions_;
  std::vector<OperationTimes>* times_ = nullptr;
  bool started_ = false;  // the instruction at the stream's position has begun
  std::vector<std::span<const T>> sends_;
  std::vector<std::span<T>> receives_;
  std::vector<std::span<const std::byte>> outgoing_;
  std::vector<std::span<std::byte>> incoming_;
};

template <class T>
class RingRun {
 public:
  /// `rank` executes `list`, its transfers in a thread of their own or between the tiles of its kernels. Throws Error where the
  /// list has other streams than one for compute and one for transfers.
  RingRun(const Communicator& ranks, const IssueList& list, Rank<T>& rank, Exchange& exchange, bool transfer_thread);

  /// Executes the list once, from a common start of all ranks; rank.prepare() comes before. Times are by instruction, as
  /// kernels/host/recording.hpp says. Collective.
  void run(std::vector<OperationTimes>& times);

 private:
  void execute(const Instruction& instruction, OperationTimes& times);
  template <class Finished>
  void wait_until(const Finished& finished);

  const Communicator& ranks_;
  const IssueList& list_;
  Rank<T>& rank_;
  bool transfer_thread_;
  sim::StreamId compute_;
  StreamPositions positions_;
  TransferStream<T> transfers_;
  ProgressThread* thread_ = nullptr;  // while a run has one
  Progress progress_;                 // of kernels
};

}  // namespace ringsim::host
