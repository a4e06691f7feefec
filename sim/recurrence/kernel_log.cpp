#include "sim/recurrence/kernel_log.hpp"

namespace ringsim::sim {

RINGSIM_CLONES void grant_at_end(const double* __restrict start, const double* __restrict end,
                                 const double* __restrict p, std::int64_t n, double* __restrict granted) {
  for (std::int64_t i = 0; i < n; ++i) {
    const bool inside =
        static_cast<int>(start[i] < before_moment(p[i])) & static_cast<int>(p[i] < before_moment(end[i]));
    granted[i] = inside ? end[i] : granted[i];
  }
}

}  // namespace ringsim::sim
