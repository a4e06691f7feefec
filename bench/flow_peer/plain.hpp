#pragma once
// A ring as one writes it by hand for SimGrid (S4U), and nothing more: no events, no streams, no accounting.

#include "models/jitter.hpp"

#include <cstdint>

namespace ringsim {

struct PlainRing {
  std::int64_t ranks = 64;
  std::int64_t layers = 1;
  double kernel_s = 0;
  double latency_s = 0;
  std::uint64_t bytes = 0;  // of a hop
  double bytes_per_s = 0;
  JitterStream compute;  // draws as the engine does
};

/// Returns the makespan.
[[nodiscard]] double run_plain(const PlainRing& ring);

}  // namespace ringsim
