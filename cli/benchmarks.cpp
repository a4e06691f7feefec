#include "cli/benchmarks.hpp"

#include "cli/commit.hpp"
#include "cli/cuda_process.hpp"
#include "cli/failures.hpp"
#include "cli/progress_bar.hpp"
#include "cli/ranks.hpp"
#include "scenarios/units.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>
#include <thread>

namespace ringsim::cli {
namespace {

/// "progress DONE TOTAL NAME", as the workers print it.
void show_progress(ProgressBar& bar, std::string_view line) {
  constexpr std::string_view start = "progress ";
  if (!line.starts_with(start)) return;
  line.remove_prefix(start.size());
  double done = 0;
  double total = 0;
  for (double* number : {&done, &total}) {
    const auto [end, failure] = std::from_chars(line.data(), line.data() + line.size(), *number);
    if (failure != std::errc()) return;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (line.starts_with(' ')) line.remove_prefix(1);
  }
  if (total > 0) bar.show(done / total, line);
}

double budget_of(const CalibrateOptions& options) { return in_seconds(scenarios::parse_duration(options.budget)); }

std::optional<std::string> on_host(const CalibrateOptions& options) {
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  const auto place = mpirun_place();
  const std::int64_t ranks = options.ranks > 0 ? options.ranks : place ? place->size : std::max<std::int64_t>(2, cores);
  const std::vector<std::int64_t> usual{4, 1, 8};
  const nlohmann::json job = {{"job", "calibrate"},
                              {"query_heads", options.heads.empty() ? usual : options.heads},
                              {"head_dim", options.head_dim > 0 ? options.head_dim : 64},
                              {"budget_s", budget_of(options)},
                              {"dtype", options.dtype.empty() ? "fp32" : options.dtype},
                              {"commit", commit()}};
  ProgressBar bar;
  // Where there is a core for it, a transfer thread is benchmarked beside every rank.
  return run_on_ranks({job.dump(), ranks, cores >= 2 * ranks ? 2 : 1},
                      [&bar](std::string_view line) { show_progress(bar, line); });
}

std::optional<std::string> on_gpus(const CalibrateOptions& options) {
  const std::int64_t heads = options.heads.empty() ? 32 : options.heads.front();
  const nlohmann::json job = {
      {"job", "calibrate"},
      {"query_heads", heads},
      {"kv_heads", options.kv_heads > 0 ? options.kv_heads : std::max<std::int64_t>(1, heads / 4)},
      {"head_dim", options.head_dim > 0 ? options.head_dim : 128},
      {"budget_s", budget_of(options)},
      {"link_class", options.link_class},
      {"commit", commit()}};
  ProgressBar bar;
  return run_cuda_worker(job.dump(), [&bar](std::string_view line) { show_progress(bar, line); });
}

}  // namespace

void check_device_options(const CLI::App& command, const CalibrateOptions& options) {
  constexpr std::array of_hosts = {"--ranks"};
  constexpr std::array of_gpus = {"--kernel-json", "--transfer-json", "--kv-heads"};
  const auto refuse = [&](const auto& names, const char* device) {
    for (const char* name : names) {
      if (command.count(name) > 0) throw UsageError(std::string(name) + " is for --device " + device);
    }
  };
  if (options.device != "host") refuse(of_hosts, "host");
  if (options.device != "cuda") {
    refuse(of_gpus, "cuda");
    if (options.dtype == "bf16") throw UsageError("a host is benchmarked in fp32 or fp64");
    return;
  }
  if (options.heads.size() > 1)
    throw UsageError("a GPU is benchmarked with one number of heads, not several: --heads 32");
  if (!options.dtype.empty() && options.dtype != "bf16") throw UsageError("a GPU is benchmarked in bf16");
}

std::optional<calibrate::Samples> run_benchmarks(const CalibrateOptions& options) {
  const auto answer = options.device == "cuda" ? on_gpus(options) : on_host(options);
  if (!answer) return std::nullopt;
  return calibrate::read_samples(*answer, options.device == "cuda" ? "the GPU worker's answer" : "the ranks' answer");
}

}  // namespace ringsim::cli
