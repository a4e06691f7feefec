#include "kernels/host/limits.hpp"

#include "models/error.hpp"

#include <string>

namespace ringsim::host {
namespace {

void check_degrees(const Parallel& parallel) {
  for (const Axis axis : all_axes) {
    if (axis == Axis::ring || parallel.degree(axis) == 1) continue;
    const std::string key(name_of(axis));
    throw Error("the host runs one ring alone: " + key + " must be 1", "parallel." + key,
                axis == Axis::tensor ? "give the model the heads of one tensor rank, and set parallel.tensor=1"
                                     : "set parallel." + key + "=1");
  }
}

}  // namespace

void check_executable(const Scenario& s) {
  if (s.workload.dtype != Dtype::fp32 && s.workload.dtype != Dtype::fp64) {
    throw Error("a CPU computes in fp32 or fp64, not in " + std::string(name_of(s.workload.dtype)), "workload.dtype",
                "set workload.dtype=fp32");
  }
  if (!runs_forward(s.workload.phase)) {
    throw Error("the host runs a backward pass after its forward pass only", "workload.phase", "train");
  }
  const GradientDtype same = s.workload.dtype == Dtype::fp64 ? GradientDtype::fp64 : GradientDtype::fp32;
  if (s.workload.phase == Phase::train && s.ring.gradient != same) {
    throw Error("the host adds up gradients in the format that it computes in", "ring.gradient_dtype",
                "set ring.gradient_dtype=" + std::string(name_of(same)));
  }
  if (s.ring.travels != Rotation::kv || s.ring.choose_travels)
    throw Error("the host runs rings of K/V only", "ring.travels", "set ring.travels=kv");
  if (s.ring.exchange != Exchange::one_way) {
    throw Error("the host runs rings that go one way round", "ring.exchange", "set ring.exchange=one-way");
  }
  if (s.workload.cached > 0) {
    throw Error("the host runs whole sequences, without cached tokens", "workload.cached", "set workload.cached=0");
  }
  check_degrees(s.parallel);
  if (!s.noise.stragglers.empty()) {
    throw Error("noise is for simulations: a real machine brings its own", "noise.stragglers", "remove it");
  }
}

}  // namespace ringsim::host
