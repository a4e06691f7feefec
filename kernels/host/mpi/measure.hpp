#pragma once
// Runs a program for real and writes down when everything happened: MPI ranks, attention on the CPU, real transfers.
//
// Every rank executes the program's issue list: operations of the compute stream in its main thread, those of the transfer
// stream either in the same thread, between the tiles of the kernels and while it waits (transfers then use the compute core, as a
// transfer by SMs does), or in a thread of their own (as a copy engine does).

#include "kernels/host/mpi/communicator.hpp"
#include "kernels/host/recording.hpp"
#include "sim/program.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::host {

struct MeasureOptions {
  std::int64_t warmup = 2;       // runs before the first that counts
  std::int64_t repeats = 10;     // at most
  double max_seconds = 60;       // of all runs; at least three repeats are made
  bool check = false;            // compare the results of the last repeat with plain attention
  std::uint64_t seed = 0;        // of the inputs
  bool transfer_thread = false;  // transfers in a thread of their own
  std::optional<double> scale;   // of the scores; absent: 1/√Dqk
};

struct MeasureResult {
  std::vector<Recording> recordings;    // of every repeat
  std::vector<double> makespans_s;      // likewise: from the start of the earliest rank to the end of the slowest
  std::map<std::string, double> error;  // "O", "LSE", "dQ", "dK", "dV": max |error| / max |reference| over all layers
};

/// Executes `program` in element type T (float or double), the same on all ranks: everything travels and is accumulated
/// in T. The inputs are a function of the seed alone. Collective; the result is on rank 0, empty elsewhere. Throws Error
/// where the number of ranks or the program's number formats do not fit, or where `check` would need more than 8192
/// tokens (plain attention has tokens² scores).
template <class T>
[[nodiscard]] MeasureResult measure(const Communicator& ranks, const sim::Program& program,
                                    const MeasureOptions& options);

}  // namespace ringsim::host
