#include "kernels/host/limits.hpp"

#include "kernels/one_ring.hpp"
#include "models/error.hpp"

#include <string>

namespace ringsim::host {

void check_executable(const Scenario& s) {
  if (s.workload.dtype != Dtype::fp32 && s.workload.dtype != Dtype::fp64) {
    throw Error("a CPU computes in fp32 or fp64, not in " + std::string(name_of(s.workload.dtype)), "workload.dtype",
                "set workload.dtype=fp32");
  }
  check_one_ring(s, "the host");
  const GradientDtype same = s.workload.dtype == Dtype::fp64 ? GradientDtype::fp64 : GradientDtype::fp32;
  if (s.workload.phase == Phase::train && s.ring.gradient != same) {
    throw Error("the host adds up gradients in the format that it computes in", "ring.gradient_dtype",
                "set ring.gradient_dtype=" + std::string(name_of(same)));
  }
}

}  // namespace ringsim::host
