#pragma once
// Folding: of a ring that is the same under a shift by m ranks the first m stand for all (physics §7, "Folding").
//
//   hops, speeds and starts of rank r = those of rank r mod m, and every kernel, merge and exchange costs all ranks the same
//   ⇒  every time of rank r = that of rank r mod m, to the bit: each is made of the same times by the same operations
//
// On m ranks closed to a ring a neighbour is a neighbour: (r ± 1) mod m, and (r + M) mod m of outer rings, where m is a multiple of the
// M ranks of an inner one. What differs by rank breaks it: causal masks but for zigzag blocks whose kernels cost the same, windows, blocks
// of different sizes, stragglers, random times.

#include "sim/machine.hpp"
#include "sim/program.hpp"

#include <cstdint>

namespace ringsim::sim {

/// The least m, the number of the program's ranks where there is none. O(ranks · divisors tried) time at worst, O(1) memory.
[[nodiscard]] std::int64_t period_of(const Program& program, const Machine& machine);

}  // namespace ringsim::sim
