#include "kernels/gpu/limits.hpp"

#include "kernels/one_ring.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <string>

namespace ringsim::cuda {
namespace {

// Rows of a block are read 16 bytes at a time.
constexpr std::int64_t dim_step = 8;

void check_heads(const Transformer& model) {
  for (const std::int64_t dim : {model.query_key_dim(), model.value_dim()}) {
    if (dim % dim_step == 0) continue;
    throw Error(fmt::format("a head of {} elements does not fill whole vectors of {}", dim, dim_step), "model.head_dim",
                fmt::format("a multiple of {}", dim_step));
  }
}

}  // namespace

void check_executable(const Scenario& s) {
  if (s.workload.dtype != Dtype::bf16) {
    throw Error("the GPU's kernels compute in bf16, not in " + std::string(name_of(s.workload.dtype)), "workload.dtype",
                "set workload.dtype=bf16");
  }
  check_one_ring(s, "a GPU");
  if (s.ring.backward != Rotation::kv && s.workload.phase == Phase::train) {
    throw Error("a GPU runs backward rings in which K/V and their gradients travel", "ring.backward",
                "set ring.backward=kv");
  }
  if (s.workload.phase == Phase::train && s.ring.gradient == GradientDtype::fp64) {
    throw Error("the GPU's kernels add up gradients in bf16 or fp32, not in fp64", "ring.gradient_dtype",
                "set ring.gradient_dtype=fp32");
  }
  check_heads(s.model);
}

}  // namespace ringsim::cuda
