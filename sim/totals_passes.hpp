#pragma once
// What the totals observer adds up, in one pass over neighbouring ranks an event. All times in seconds; an array holds a value a rank.

#include <cstdint>

namespace ringsim::sim {

/// The hops of `n` ranks: those that they send, and those that come in to them.
struct HopArrays {
  const double* out_start;
  const double* out_end;
  const double* in_start;
  const double* in_end;
};

/// sum += end − start
void add_spans(const double* start, const double* end, std::int64_t n, double* sum);

/// in_flight += |out ∪ in| = |out| + |in| − |out ∩ in|
void add_in_flight(const HopArrays& hops, std::int64_t n, double* in_flight);

/// Of waits from `from` until `until`: exposed += what of them a hop is in flight, late += the rest. Both hops are clipped to the wait
/// and ordered by their start; in flight is the first and what the second adds behind it, the rest lies before, between and after them.
void add_wait(const double* from, const double* until, const HopArrays& hops, std::int64_t n, double* exposed,
              double* late);

}  // namespace ringsim::sim
