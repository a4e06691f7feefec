#pragma once
// Plays ranks of a program on GPUs: every stream of the program is a CUDA stream, every event a CUDA event, and the operations are
// issued in the program's order. Transfers have the more urgent streams: their kernels must find an SM while the many blocks of an attention
// kernel wait for theirs.
//
// Times come from timing events, one behind every operation of a stream; what an operation does begins where the one before it on its
// stream ended, or where what it waited for had happened. An event behind each operation costs the GPU a microsecond or two:
// `timed = false` plays without them, and gives the time of the whole alone.

#include "kernels/cuda/executor/hop_port.hpp"
#include "kernels/cuda/executor/rank.hpp"
#include "kernels/cuda/graph.hpp"
#include "kernels/cuda/probes.hpp"
#include "kernels/cuda/resources.hpp"
#include "kernels/host/recording.hpp"
#include "kernels/host/streams.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ringsim::cuda {

struct PlayerOptions {
  /// Capture the operations in a CUDA graph once and launch that: the host enqueues one thing a run. One rank a process.
  bool graph = false;
};

/// The ranks of one process, a device each.
class Player {
 public:
  struct Place {
    DeviceRank* rank = nullptr;
    int device = 0;
  };
  /// `ranks`, `list` and `port` must outlive the player.
  Player(const host::IssueList& list, const std::vector<Place>& ranks, HopPort& port, PlayerOptions options);
  ~Player();
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// Runs the program once, all ranks from a common start, and waits for its end. `timed`: times [rank][instruction], seconds from the
  /// start.
  void run();
  [[nodiscard]] std::vector<std::vector<host::OperationTimes>> run_timed();
  /// Of the latest run: from its start to the end of each rank [s], and what the host took to enqueue it.
  [[nodiscard]] const std::vector<double>& ends_s() const { return ends_s_; }
  [[nodiscard]] double enqueue_s() const { return enqueue_s_; }

 private:
  struct Seat;
  void play(bool timed);
  void issue(bool timed);
  void issue_instruction(std::size_t index, bool timed);
  void issue_hops(std::size_t index);
  void close_gates();
  void open_gates();
  void finish();

  const host::IssueList& list_;
  HopPort& port_;
  PlayerOptions options_;
  std::vector<std::unique_ptr<Seat>> seats_;
  std::optional<Graph> timed_graph_, graph_;
  std::vector<double> ends_s_;
  double enqueue_s_ = 0;
};

}  // namespace ringsim::cuda
