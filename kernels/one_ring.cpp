#include "kernels/one_ring.hpp"

#include "models/error.hpp"

#include <string>

namespace ringsim {
namespace {

void check_degrees(const Parallel& parallel, const std::string& who) {
  for (const Axis axis : all_axes) {
    if (axis == Axis::ring || parallel.degree(axis) == 1) continue;
    const std::string key(name_of(axis));
    throw Error(who + " runs one ring alone: " + key + " must be 1", "parallel." + key,
                axis == Axis::tensor ? "give the model the heads of one tensor rank, and set parallel.tensor=1"
                                     : "set parallel." + key + "=1");
  }
}

}  // namespace

void check_one_ring(const Scenario& s, std::string_view name) {
  const std::string who(name);
  if (!runs_forward(s.workload.phase)) {
    throw Error(who + " runs a backward pass after its forward pass only", "workload.phase", "train");
  }
  if (s.ring.travels != Rotation::kv || s.ring.choose_travels)
    throw Error(who + " runs rings of K/V only", "ring.travels", "set ring.travels=kv");
  if (s.ring.exchange != Exchange::one_way) {
    throw Error(who + " runs rings that go one way round", "ring.exchange", "set ring.exchange=one-way");
  }
  if (s.workload.cached > 0) {
    throw Error(who + " runs whole sequences, without cached tokens", "workload.cached", "set workload.cached=0");
  }
  check_degrees(s.parallel, who);
  if (!s.noise.stragglers.empty()) {
    throw Error("noise is for simulations: a real machine brings its own", "noise.stragglers", "remove it");
  }
}

}  // namespace ringsim
