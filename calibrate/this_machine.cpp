#include "calibrate/this_machine.hpp"

#include <chrono>
#include <ctime>
#include <fstream>
#include <thread>

namespace ringsim::calibrate {

std::string machine_name() {
  std::string model = "unknown CPU";
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) model = line.substr(colon + 2);
    break;
  }
  const unsigned cores = std::thread::hardware_concurrency();
  return cores == 0 ? model : model + ", " + std::to_string(cores) + (cores == 1 ? " core" : " cores");
}

std::string compiler_name() {
#if defined(__clang__)
  return std::string("clang++ ") + __clang_version__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  char text[sizeof "2026-01-31T12:00:00Z"];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace ringsim::calibrate
