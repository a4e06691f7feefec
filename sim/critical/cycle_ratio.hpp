#pragma once
// The maximum cycle ratio of a graph: over all cycles, the largest of  Σ weights / Σ tokens.
//
// Of a timed event graph (arcs with a duration, and tokens for the periods that they lie apart) it is the time of a period in the
// steady state, the eigenvalue of its max-plus matrix, and the cycle that has it is the bottleneck (Baccelli, Cohen, Olsder, Quadrat,
// "Synchronization and Linearity", 1992, theorems 3.23 and 3.28).
//
// By policy iteration (Cochet-Terrasson, Cohen, Gaubert, McGettrick, Quadrat, "Numerical computation of spectral elements in max-plus
// algebra", 1998). A policy is one arc into every node; going back along it ends in a cycle. Of a node i
//
//   η_i   ratio of that cycle          v_i = w - η_i t + v of the arc's tail: how far ahead i is of the cycle
//
// and the policy is improved, at first to tails with a larger η, where there are none to a larger v, until no arc improves it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ringsim::sim {

struct CycleArc {
  std::int32_t from = 0;
  std::int32_t to = 0;
  double weight = 0;
  std::int32_t tokens = 0;  // every cycle must have one
};

struct CycleRatio {
  double ratio = 0;
  std::vector<std::size_t> arcs;  // of the cycle, in the order of time: indices into the arcs that were given
  std::size_t iterations = 0;
};

/// Nothing where the graph has no cycle. Throws std::logic_error for a cycle without tokens.
[[nodiscard]] std::optional<CycleRatio> maximum_cycle_ratio(std::int32_t nodes, const std::vector<CycleArc>& arcs);

}  // namespace ringsim::sim
