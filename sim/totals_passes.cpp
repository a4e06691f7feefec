#include "sim/totals_passes.hpp"

#include "models/clones.hpp"

namespace ringsim::sim {
namespace {

RINGSIM_IN_CLONES double lesser(double a, double b) { return a < b ? a : b; }
RINGSIM_IN_CLONES double greater(double a, double b) { return a < b ? b : a; }

}  // namespace

RINGSIM_CLONES void add_spans(const double* __restrict start, const double* __restrict end, std::int64_t n,
                              double* __restrict sum) {
  for (std::int64_t r = 0; r < n; ++r) sum[r] += end[r] - start[r];
}

RINGSIM_CLONES void add_in_flight(const HopArrays& hops, std::int64_t n, double* __restrict in_flight) {
  const auto [out_start, out_end, in_start, in_end] = hops;
  for (std::int64_t r = 0; r < n; ++r) {
    const double both = greater(lesser(out_end[r], in_end[r]) - greater(out_start[r], in_start[r]), 0.0);
    in_flight[r] += (out_end[r] - out_start[r]) + (in_end[r] - in_start[r]) - both;
  }
}

RINGSIM_CLONES void add_wait(const double* __restrict from, const double* __restrict until, const HopArrays& hops,
                             std::int64_t n, double* __restrict exposed, double* __restrict late) {
  const auto [out_start, out_end, in_start, in_end] = hops;
  for (std::int64_t r = 0; r < n; ++r) {
    const double begin = from[r];
    const double end = until[r];
    const bool out_first = out_start[r] <= in_start[r];
    const double one_end = out_first ? out_end[r] : in_end[r];
    const double other_end = out_first ? in_end[r] : out_end[r];
    const double first_start = lesser(greater(lesser(out_start[r], in_start[r]), begin), end);
    const double first_end = lesser(greater(one_end, begin), end);
    const double last_start = lesser(greater(greater(out_start[r], in_start[r]), begin), end);
    const double last_end = lesser(greater(other_end, begin), end);
    exposed[r] += (first_end - first_start) + greater(last_end - greater(last_start, first_end), 0.0);
    late[r] += (first_start - begin) + greater(last_start - first_end, 0.0) + (end - greater(first_end, last_end));
  }
}

}  // namespace ringsim::sim
