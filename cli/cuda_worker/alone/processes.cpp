// The worker that is started by hand's program: one process, all GPUs.

#include "cli/cuda_worker/jobs.hpp"

namespace ringsim::cli {

std::unique_ptr<cuda::Processes> join_processes() { return std::make_unique<cuda::Alone>(); }

}  // namespace ringsim::cli
