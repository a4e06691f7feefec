#pragma once
// Work that a run may leave undone because its outcome is known, and how it goes about the rest. By default a run does as little as it
// can; tests and --in-full compare it with one that does everything.

#include <algorithm>
#include <cstdint>
#include <string>

namespace ringsim::sim {

/// Sizes of a tile, 0: as measured to be best (tiled_loop.hpp). Tests ask for small ones.
struct TileShape {
  std::int64_t ranks = 0;
  std::int64_t steps = 0;
};

struct RunOptions {
  bool fold = true;         // run one period of a ring that is the same under a shift: the same to the bit
  bool extrapolate = true;  // jump over what repeats: the same but for rounding, some 1e-12
  bool tile = true;  // where nobody looks, take blocks of ranks through many steps at a time: the same to the bit
  int threads = 1;   // of those blocks
  TileShape tile_shape{};
  /// Runs of fewer iterations of innermost loops are not watched for repetitions: they are over before anything is gained.
  double least_iterations = 4096;
};

/// Everything, operation by operation.
[[nodiscard]] inline RunOptions run_in_full() { return {.fold = false, .extrapolate = false, .tile = false}; }

/// What of a run has been executed, and what has been concluded.
struct RunEconomy {
  std::int64_t ranks = 0;         // of a ring: those that exist
  std::int64_t folded_ranks = 0;  // those that were run; as many where the ring is not the same under a shift
  double rank_steps = 0;          // iterations of innermost loops, of all ranks and lanes
  double jumped_rank_steps = 0;   // those of them that were jumped over
  std::string why_in_full;        // where nothing was jumped although something might have been; else empty

  /// Of a run that is made of several, one after the other.
  void add(const RunEconomy& other) {
    folded_ranks = ranks == 0 ? other.folded_ranks : std::max(folded_ranks, other.folded_ranks);
    ranks = std::max(ranks, other.ranks);
    rank_steps += other.rank_steps;
    jumped_rank_steps += other.jumped_rank_steps;
    why_in_full = jumped_rank_steps > 0 ? "" : other.why_in_full;
  }
};

}  // namespace ringsim::sim
