#pragma once
// How far a worker's benchmarks are, for the program that shows it: "progress DONE TOTAL NAME", a line for each benchmark.

#include <cstdint>
#include <cstdio>
#include <string>

namespace ringsim::cli {

inline void print_progress(std::int64_t done, std::int64_t total, const std::string& name) {
  std::printf("progress %lld %lld %s\n", static_cast<long long>(done), static_cast<long long>(total), name.c_str());
  std::fflush(stdout);
}

}  // namespace ringsim::cli
