#pragma once
// Hops as JSON reports of nccl-tests (sendrecv_perf -J, version 3 of its format), for whoever has tools for that.
//
// A report is of one class of links and one number of ranks. results[] has a row a size: `time` and per-iteration times in µs,
// alg_bw = bus_bw = size / time in 10⁹ B/s. Of the environment nothing but NCCL_* and CUDA_* is written. A paced copy within
// one GPU is written as a hop of one rank; that it was one, the file name and "experiment_name" say.

#include "calibrate/samples.hpp"

#include <map>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct NcclTestsOptions {
  std::vector<std::string> environment;  // "NAME=VALUE", all of it; filtered here
  std::string hostname;                  // of this machine; may be empty
};

/// File name -> content. A single report is called `json_name` ("hops.json"); of several each has its class and, where they
/// differ, its ranks in the name ("hops.paced-50-gb.json"). Empty where there are no hops.
[[nodiscard]] std::map<std::string, std::string> write_nccl_tests(const Samples& samples, const std::string& json_name,
                                                                  const NcclTestsOptions& options);

}  // namespace ringsim::calibrate
