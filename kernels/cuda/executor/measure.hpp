#pragma once
// Runs a program for real on GPUs and writes down when everything happened.
//
// play_ranks    one GPU plays the ranks of the ring one after the other. What it shows truthfully is a rank's computation, merging, launches
//               and the contest of a transfer with kernels for memory and SMs, at a link rate that is given; neighbours are taken to be
//               exactly as far, so a rank never waits for another
// run_together  a GPU a rank, with NCCL, in this process or in several

#include "kernels/cuda/executor/player.hpp"
#include "kernels/cuda/executor/processes.hpp"
#include "kernels/host/recording.hpp"
#include "sim/program.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ringsim::cuda {

/// However long they take.
inline constexpr std::int64_t least_repeats = 3;

struct MeasureOptions {
  std::int64_t warmup = 2;    // runs before the first that counts
  std::int64_t repeats = 15;  // at most
  double max_seconds = 60;    // of all runs; least_repeats are made in any case
  std::uint64_t seed = 0;     // of the inputs
  bool check = false;         // run_together: compare the results of the last repeat with plain attention
  PlayerOptions player{};
  /// Called once behind all repeats with a function that makes one more run, which does not count: of rank 0 where one GPU plays the
  /// ranks. May be empty.
  std::function<void(const std::function<void()>& run)> one_more{};
};

struct MeasureResult {
  std::vector<host::Recording> recordings{};  // of every repeat
  std::vector<double> untimed_s{};  // of every repeat: the slowest rank's run without an event behind every operation
  double enqueue_s = 0;             // most that the host took to enqueue one run
  std::int64_t operations = 0;      // that it enqueued for it
  std::int64_t memory_bytes = 0;    // of a rank, on its device
  /// "O", "LSE", "dQ", "dK", "dV": max |error| / max |reference| over all layers; empty unless checked.
  std::map<std::string, double> error{};
};

/// On the current device. Throws Error where the program cannot be executed.
[[nodiscard]] MeasureResult play_ranks(const sim::Program& program, AttentionKernels& kernels, MergingKernel* merging,
                                       const PacedCopyOptions& link, const MeasureOptions& options);

/// The ranks of a process: of one process all of the ring, on devices 0, 1, ...; of several, one each, the process's number.
struct LocalRanks {
  std::int64_t first = 0;
  std::vector<int> devices;                // of each rank
  std::vector<AttentionKernels*> kernels;  // likewise: plans and workspaces belong to a device
  std::vector<MergingKernel*> merging{};   // likewise, or empty
};

/// Collective; the result is that of process 0 and elsewhere lacks what comes from others. Throws Error as play_ranks does.
[[nodiscard]] MeasureResult run_together(const sim::Program& program, const LocalRanks& ranks, HopPort& port,
                                         Processes& processes, const MeasureOptions& options);

}  // namespace ringsim::cuda
