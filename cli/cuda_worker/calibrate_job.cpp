// Runs the microbenchmarks of a GPU.

#include "calibrate/cuda/benchmarks.hpp"
#include "calibrate/cuda/this_gpu.hpp"
#include "cli/cuda_worker/jobs.hpp"
#include "cli/worker_progress.hpp"

#include <nlohmann/json.hpp>

namespace ringsim::cli {

std::string run_gpu_calibrate_job(const std::string& text, const cuda::Devices& devices) {
  const auto job = nlohmann::json::parse(text);
  calibrate::GpuBenchmarkOptions options;
  job.at("query_heads").get_to(options.query_heads);
  job.at("kv_heads").get_to(options.kv_heads);
  job.at("head_dim").get_to(options.head_dim);
  job.at("budget_s").get_to(options.budget_s);
  job.at("commit").get_to(options.commit);
  if (const std::string links = job.at("link_class"); !links.empty()) options.link_class = links;
  return calibrate::write_samples(
      calibrate::run_gpu_benchmarks(devices, calibrate::kernels_of(devices), options, print_progress));
}

}  // namespace ringsim::cli
