#pragma once
// Running a job on GPUs: starts the worker `ringsim-cuda`, which lies beside this program. It alone holds the CUDA runtime and kernels.
//
// Started by hand, this program starts one worker, which uses all GPUs that it needs. Started by mpirun with several processes, each of them
// starts a `ringsim-cuda-mpi`, which takes its place among the ranks and a GPU of its node.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace ringsim::cli {

/// Whether the worker lies beside this program.
[[nodiscard]] bool cuda_worker_is_there();

/// Runs the job and returns the answer; nothing on other ranks of an mpirun than the first. `on_line` gets the lines that the
/// worker prints while it runs. Throws MissingPart where the worker, a GPU, a driver or a library is missing, Error where the job itself is
/// wrong, BrokeOff where the worker ended before its time.
[[nodiscard]] std::optional<std::string> run_cuda_worker(const std::string& job,
                                                         const std::function<void(std::string_view)>& on_line);

}  // namespace ringsim::cli
