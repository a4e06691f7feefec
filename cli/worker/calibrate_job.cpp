// Runs the microbenchmarks of this machine.

#include "calibrate/host/benchmarks.hpp"
#include "cli/worker/jobs.hpp"
#include "cli/worker_progress.hpp"

#include <nlohmann/json.hpp>

namespace ringsim::cli {

std::string run_calibrate_job(const std::string& text, host::Communicator& ranks) {
  const auto job = nlohmann::json::parse(text);
  calibrate::HostBenchmarkOptions options;
  job.at("query_heads").get_to(options.query_heads);
  job.at("head_dim").get_to(options.head_dim);
  job.at("budget_s").get_to(options.budget_s);
  job.at("commit").get_to(options.commit);
  options.dtype = job.at("dtype") == "fp64" ? Dtype::fp64 : Dtype::fp32;
  const calibrate::Samples samples = calibrate::run_host_benchmarks(ranks, options, print_progress);
  return ranks.rank() == 0 ? calibrate::write_samples(samples) : std::string();
}

}  // namespace ringsim::cli
