#include "cli/choices.hpp"
#include "cli/cuda_process.hpp"
#include "cli/executed.hpp"
#include "cli/failures.hpp"
#include "cli/ranks.hpp"
#include "cli/scenario_options.hpp"
#include "kernels/gpu/limits.hpp"
#include "kernels/host/limits.hpp"
#include "scenarios/units.hpp"

#include <array>

namespace ringsim::cli {
namespace {

constexpr std::array gpu_option_names = {"--link-rate", "--kernels",         "--fused-merge",
                                         "--graph",     "--transfer-blocks", "--activity"};

}  // namespace

void add_gpu_options(CLI::App& command, GpuOptions& options) {
  command
      .add_option("--link-rate", options.link_rate,
                  "cuda: one GPU plays all ranks, with copies at this rate for the hops (default: a GPU a rank)")
      ->type_name("BANDWIDTH");
  command.add_option("--kernels", options.kernels, "cuda: attention by cudnn, sm90 or reference (default cudnn)")
      ->type_name("KERNELS")
      ->check(one_of({"cudnn", "sm90", "reference"}));
  command.add_flag("--fused-merge", options.fused_merge, "cuda: kernels of sm90 merge what they compute themselves");
  command.add_flag("--graph", options.graph, "cuda: launch one captured CUDA graph a run");
  command
      .add_option("--transfer-blocks", options.transfer_blocks,
                  "cuda: thread blocks of a transfer by SMs, at most (default 8)")
      ->type_name("N")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{64}).description(""));
  command
      .add_option("--activity", options.activity,
                  "cuda: kernels and copies of one more run as CUPTI records them, which slows it down")
      ->type_name("FILE.csv")
      ->check(file_name());
}

void check_gpu_options(const CLI::App& command, const std::string& device) {
  if (device == "cuda") return;
  for (const char* name : gpu_option_names) {
    if (command.count(name) > 0) throw UsageError(std::string(name) + " is for --device cuda");
  }
}

void check_executable_on(const std::string& device, const Scenario& scenario) {
  if (device == "cuda") {
    cuda::check_executable(scenario);
  } else {
    host::check_executable(scenario);
  }
}

std::optional<calibrate::MeasureAnswer> execute_on_gpus(const Scenario& scenario, const calibrate::MeasureJob& run,
                                                        const GpuOptions& options) {
  if (options.fused_merge && options.kernels != "sm90") {
    throw UsageError("--fused-merge is of our own kernel: add --kernels sm90");
  }
  if (options.kernels == "sm90" && scenario.workload.phase == Phase::train) {
    throw UsageError("--kernels sm90 has no backward pass; use cudnn or reference");
  }
  if (!options.link_rate.empty() && mpirun_place() && mpirun_place()->size > 1) {
    throw UsageError("with --link-rate one process plays all ranks: start it without mpirun");
  }
  calibrate::CudaMeasureJob job;
  job.run = run;
  job.kernels = options.kernels;
  job.fused_merge = options.fused_merge;
  job.graph = options.graph;
  if (!options.link_rate.empty())
    job.link_bytes_per_s = in_bytes_per_second(scenarios::parse_bandwidth(options.link_rate));
  job.copy_engine = scenario.ring.transfer == TransferEngine::copy_engine;
  job.transfer_blocks = options.transfer_blocks;
  job.activity = !options.activity.empty();
  const auto text = run_cuda_worker(calibrate::to_json(job), {});
  if (!text) return std::nullopt;
  return calibrate::measure_answer_of(*text);
}

}  // namespace ringsim::cli
