#pragma once
// The jobs of the worker for GPUs: each reads its own message and returns the answer of process 0 (empty on others).

#include "kernels/cuda/device.hpp"
#include "kernels/cuda/executor/processes.hpp"

#include <memory>
#include <string>

namespace ringsim::cli {

/// This process's place: of the worker that is linked with MPI among the processes of an mpirun, else alone.
[[nodiscard]] std::unique_ptr<cuda::Processes> join_processes();

/// `devices` has at least one.
[[nodiscard]] std::string run_gpu_measure_job(const std::string& text, const cuda::Devices& devices,
                                              cuda::Processes& processes);
[[nodiscard]] std::string run_gpu_calibrate_job(const std::string& text, const cuda::Devices& devices);

/// "2 x NVIDIA H200 (132 SMs, 141 GB)"
[[nodiscard]] std::string gpu_machine(const cuda::Devices& devices, std::size_t used);

}  // namespace ringsim::cli
