#pragma once
// What the samples were taken on.

#include "calibrate/points.hpp"

#include <string>

namespace ringsim::calibrate {

/// CPU model and number of processors; compiler, MPI and the instruction set that Eigen was compiled for; the time now.
[[nodiscard]] Provenance host_provenance(std::int64_t ranks, const std::string& mpi, const std::string& commit);

/// "model name" of /proc/cpuinfo; "unknown CPU" where there is none.
[[nodiscard]] std::string cpu_model();

}  // namespace ringsim::calibrate
