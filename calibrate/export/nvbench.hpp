#pragma once
// Kernel benchmarks as a JSON file of NVIDIA's nvbench, version 1.0.0 of its format, for whoever has tools for that.
//
//   benchmarks[]   one a kind of kernel: attention_forward, attention_backward, gemm, merge, ringsim.stream, ringsim.launch,
//                  and those that no importer makes points of: ringsim.variant..., ringsim.copy, ringsim.overhead
//   states[]       one a measured point; its axes have the names of docs/IMPORT.md
//   summaries[]    nv/cold/time/gpu/{min,max,mean,median,q1,q3,stdev/relative,iqr/relative}, nv/cold/sample_size,
//                  nv/cold/bw/global/bytes_per_second; own ones: ring/flops_per_second, ring/time/median/{low,high} (the 95 %
//                  interval of the median), ring/discarded. Values are texts, times are in seconds.
//
// The samples themselves are files beside it, as nvbench writes them: little-endian float32, seconds, a file a state, named by a
// summary with the tag nv/json/bin:nv/cold/sample_times and the hint file/sample_times. Transfers and interference are left out.

#include "calibrate/samples.hpp"

#include <map>
#include <string>

namespace ringsim::calibrate {

struct NvbenchFiles {
  std::string json;
  std::map<std::string, std::string> binaries;  // path relative to the JSON's folder -> content
};

/// `json_name`: the file name that the JSON will have ("kernels.json"); the binaries go to the folder "kernels.json-bin".
[[nodiscard]] NvbenchFiles write_nvbench(const Samples& samples, const std::string& json_name);

}  // namespace ringsim::calibrate
