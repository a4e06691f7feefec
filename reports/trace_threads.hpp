#pragma once
// On which thread of its rank's process a span is drawn.
//
//   0 compute   kernels, and collectives that the computation takes part in
//   1 transfer  hops of the ring
//   2 collectives  and sends that run beside the computation
//
// Viewers want the slices of a thread to nest. Transfers that are in flight together (two ways round, two levels), and likewise
// collectives, are put on further threads: 3 transfer 2, 4 collectives 2, 5 transfer 3, and so on. Measured kernels of several streams
// may overlap, too: 1000 compute 2, 1001 compute 3.

#include "sim/spans.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::reports {

inline constexpr int compute_thread = 0;
inline constexpr int transfer_thread = 1;
inline constexpr int collective_thread = 2;

/// Whole nanoseconds, as the trace prints them.
[[nodiscard]] std::int64_t nanoseconds(double seconds);

/// The thread of every span, in the order of `spans`: the first of its kind that is free when the span starts.
[[nodiscard]] std::vector<int> threads_of(const std::vector<sim::Span>& spans);

/// "compute", "transfer", "collectives", "transfer 2".
[[nodiscard]] std::string name_of_thread(int thread);

}  // namespace ringsim::reports
