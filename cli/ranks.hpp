#pragma once
// Running a job for real on MPI ranks: starts the worker `ringsim-mpi`, which lies beside this program and alone links MPI.
//
// Started by hand, this program starts mpirun, which starts the ranks. Started by mpirun, each of its processes starts
// one worker, which takes its place among the ranks by the environment it inherits. Either way the worker of rank 0
// writes the result to a file, and a worker that fails writes its reason beside it and ends all.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ringsim::cli {

/// The place among the processes of an mpirun; absent where this program was started by hand.
struct MpirunPlace {
  std::int64_t rank = 0;
  std::int64_t size = 1;
};
[[nodiscard]] std::optional<MpirunPlace> mpirun_place();

struct RankJob {
  std::string text;  // JSON that the worker understands
  std::int64_t ranks = 1;
  std::int64_t threads_per_rank = 1;  // cores that a rank keeps busy
};

/// Whether the worker lies beside this program.
[[nodiscard]] bool worker_is_there();

/// Runs the job and returns what rank 0 answered; nothing on the other ranks of an mpirun. `on_line` gets the lines that
/// the workers print while they run. Throws MissingPart where the worker or mpirun is missing, Error where the job itself is
/// wrong, BrokeOff where a rank ended before its time.
[[nodiscard]] std::optional<std::string> run_on_ranks(const RankJob& job,
                                                      const std::function<void(std::string_view)>& on_line);

}  // namespace ringsim::cli
