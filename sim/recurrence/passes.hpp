#pragma once
// Passes over the ranks for the joined operations of a run that nobody observes: plain loops that compilers turn into
// vector instructions.

#include <cstdint>

namespace ringsim::sim {

// x_r = max(p_{r-1}, p_r, p_{r+1}) + T: with one hop time for all, both hops of a rank in one pass.
inline void rotate(const double* __restrict posted, double hop, double* __restrict done, std::int64_t n) {
  for (std::int64_t r = 0; r < n; ++r) {
    const double pair = posted[r - 1] > posted[r] ? posted[r - 1] : posted[r];
    done[r] = (pair > posted[r + 1] ? pair : posted[r + 1]) + hop;
  }
}

// A kernel whose end meets an arrival: end = from + cost, met = max(end, other).
inline void add_then_max(const double* __restrict from, double cost, const double* __restrict other,
                         double* __restrict end, double* __restrict met, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const double t = from[i] + cost;
    end[i] = t;
    met[i] = t > other[i] ? t : other[i];
  }
}
inline void add_each_then_max(const double* __restrict from, const double* __restrict cost,
                              const double* __restrict other, double* __restrict end, double* __restrict met,
                              std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    const double t = from[i] + cost[i];
    end[i] = t;
    met[i] = t > other[i] ? t : other[i];
  }
}

}  // namespace ringsim::sim
