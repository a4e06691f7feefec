#pragma once
// The two ways in which `ringsim measure` runs a scenario for real, a file each: what the ranks of the host and the GPUs answer.

#include "calibrate/cuda_job.hpp"
#include "calibrate/measure_job.hpp"
#include "models/scenario.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>

namespace ringsim::cli {

/// Options of --device cuda alone.
struct GpuOptions {
  std::string link_rate;  // empty: a GPU a rank
  std::string kernels = "cudnn";
  bool fused_merge = false;
  bool graph = false;
  std::int64_t transfer_blocks = 8;
  std::string activity;  // file; empty: none
};
void add_gpu_options(CLI::App& command, GpuOptions& options);
/// Throws UsageError where one of them was given and the device is another.
void check_gpu_options(const CLI::App& command, const std::string& device);

/// Throws Error where the device cannot run the scenario.
void check_executable_on(const std::string& device, const Scenario& scenario);

/// Nothing: another process of the mpirun has the answer. `job.scenario_yaml` is the scenario's.
[[nodiscard]] std::optional<calibrate::MeasureAnswer> execute_on_host(const Scenario& scenario,
                                                                      const calibrate::MeasureJob& job);
[[nodiscard]] std::optional<calibrate::MeasureAnswer> execute_on_gpus(const Scenario& scenario,
                                                                      const calibrate::MeasureJob& job,
                                                                      const GpuOptions& options);

}  // namespace ringsim::cli
