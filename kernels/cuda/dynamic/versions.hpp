#pragma once
// Which libraries are there, for records of measurements and for messages.

#include <string>
#include <vector>

namespace ringsim::cuda {

struct LibraryVersion {
  std::string library;  // "cuDNN"
  std::string version;  // "9.19.0"; empty where it is not there
  std::string path;     // of the file; where it is not there: why not, a sentence
  [[nodiscard]] bool found() const { return !version.empty(); }
};

/// CUDA's driver interface and runtime, cuDNN, cuBLAS, NCCL, CUPTI and the driver itself (by NVML), in this order.
/// Opens the libraries for good. Never throws for one that is missing.
[[nodiscard]] std::vector<LibraryVersion> versions();

/// "CUDA runtime 13.0, cuDNN 9.19.0, ...": those that are there.
[[nodiscard]] inline std::string in_one_line(const std::vector<LibraryVersion>& libraries) {
  std::string text;
  for (const LibraryVersion& library : libraries) {
    if (library.found()) text += (text.empty() ? "" : ", ") + library.library + " " + library.version;
  }
  return text;
}

}  // namespace ringsim::cuda
