// Runs the microbenchmarks of this machine.

#include "calibrate/host/benchmarks.hpp"
#include "cli/worker/jobs.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace ringsim::cli {

std::string run_calibrate_job(const std::string& text, host::Communicator& ranks) {
  const auto job = nlohmann::json::parse(text);
  calibrate::HostBenchmarkOptions options;
  job.at("query_heads").get_to(options.query_heads);
  job.at("head_dim").get_to(options.head_dim);
  job.at("budget_s").get_to(options.budget_s);
  job.at("commit").get_to(options.commit);
  options.dtype = job.at("dtype") == "fp64" ? Dtype::fp64 : Dtype::fp32;
  // The parent shows how far it is: a line for each benchmark.
  const calibrate::Samples samples = calibrate::run_host_benchmarks(
      ranks, options, [](std::int64_t done, std::int64_t total, const std::string& name) {
        std::printf("progress %lld %lld %s\n", static_cast<long long>(done), static_cast<long long>(total),
                    name.c_str());
        std::fflush(stdout);
      });
  return ranks.rank() == 0 ? calibrate::write_samples(samples) : std::string();
}

}  // namespace ringsim::cli
