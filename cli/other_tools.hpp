#pragma once
// Samples in the formats of NVIDIA's own benchmarks, for whoever has tools for those.

#include "calibrate/samples.hpp"

#include <string>

namespace ringsim::cli {

/// Kernels as a JSON file of nvbench, with the files of raw samples in a folder beside it; hops as reports of nccl-tests, one a class of
/// links. An empty path: not written. Throws BrokeOff where a file cannot be written.
void write_for_other_tools(const calibrate::Samples& samples, const std::string& kernel_json,
                           const std::string& transfer_json);

}  // namespace ringsim::cli
