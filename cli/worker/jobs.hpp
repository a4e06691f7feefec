#pragma once
// The jobs of the worker: each reads its own message and returns rank 0's answer (empty on other ranks).

#include "kernels/host/mpi/communicator.hpp"

#include <string>

namespace ringsim::cli {

[[nodiscard]] std::string run_measure_job(const std::string& text, host::Communicator& ranks);
[[nodiscard]] std::string run_sweep_job(const std::string& text, host::Communicator& ranks);
[[nodiscard]] std::string run_calibrate_job(const std::string& text, host::Communicator& ranks);

}  // namespace ringsim::cli
