#pragma once
// Machines in words, without their names.

#include "bench/report/run_file.hpp"

#include <string>
#include <vector>

namespace ringsim::bench {

/// "2 cores, 2096 MHz, L1 48 KiB, L2 1 MiB, L3 32 MiB (of 2 cores)": caches of data.
[[nodiscard]] std::string description_of(const Machine& machine);

/// What differs, each "cores 2 -> 8"; empty for machines that are alike. Clocks may differ by a twentieth: they are measured.
[[nodiscard]] std::vector<std::string> differences_of(const Machine& before, const Machine& after);

}  // namespace ringsim::bench
