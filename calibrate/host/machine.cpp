#include "calibrate/host/machine.hpp"

#include <Eigen/Core>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <fstream>
#include <thread>

namespace ringsim::calibrate {

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

Provenance host_provenance(std::int64_t ranks, const std::string& mpi, const std::string& commit) {
  Provenance from;
  from.device = "host";
  from.machine = fmt::format("{}, {} processors", cpu_model(), std::thread::hardware_concurrency());
  from.ranks = ranks;
  from.software = fmt::format("g++ {}; {}; Eigen with {}", __VERSION__, mpi, Eigen::SimdInstructionSetsInUse());
  from.date = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  from.commit = commit;
  return from;
}

}  // namespace ringsim::calibrate
