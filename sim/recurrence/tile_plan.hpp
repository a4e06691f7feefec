#pragma once
// What a tile of ranks does in some steps of a loop: the passes over its ranks, and which buffer each reads and writes. It follows
// from the loop's instructions alone, so it is made once and serves all tiles and all blocks of as many steps.
//
// Recording copies nothing: streams and events are names of vectors, and the plan knows at every step which. Three more things
// are left out, all exact:
//   - a maximum that is known: max(a, b) that was taken before, or of an a that began no earlier than b ended;
//   - a pass of its own for what meets right away: hops, kernels and their maximum are one (tile_passes.hpp);
//   - what nobody needs after the last step: an arrival is written down only in steps whose record is still held then.

#include "sim/recurrence/lowering.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace ringsim::sim {

/// A kernel or a merge at a step of the block, counted from its first.
struct TileKernel {
  const Instruction* compute = nullptr;
  std::int64_t step = 0;
};

/// Buffers by number, -1: none. As TilePassOperands says.
struct TilePass {
  int posted = -1;
  const HopTimes* hops = nullptr;
  int other = -1;
  int from = -1;
  int kernels = 0;
  std::array<TileKernel, 2> kernel{};
  int x = -1;
  int c = -1;
  int met = -1;
  std::int64_t reach = 0;  // so many ranks beyond either end of the tile must be right
};

/// Names of vectors: streams, and behind them events, those that a loop speaks of. Ascending.
using TileNames = std::vector<std::size_t>;

struct TilePlan {
  struct Copy {
    int vector = 0;  // of `before`, or of those that are written
    int buffer = 0;
  };
  std::vector<TilePass> passes;
  int buffers = 0;
  int hot = 0;                        // buffers that a step in the middle touches
  std::int64_t reach = 0;             // of what is read before the first step
  std::vector<Copy> reads;            // vectors before the block that go into buffers
  std::vector<Copy> writes;           // buffers that become new vectors, numbered from 0
  std::vector<const HopTimes*> hops;  // that differ by rank
  /// By name, after the block: the vector `before` that it means, or ~number of a new one; none where it has never meant one.
  static constexpr int none = -(1 << 30);
  std::vector<int> after;
};

/// Streams and events of a loop of straight instructions, of a program of `streams` streams.
[[nodiscard]] TileNames names_of(const LoweredLoop& loop, std::size_t streams);

/// For `steps` iterations from index `first`. `before`: by name the number of the vector that it means, counted from 0 in any order;
/// TilePlan::none for events that have never been recorded. The loop must be straight, its shifts one way.
[[nodiscard]] TilePlan plan_tile(const LoweredLoop& loop, const TileNames& names, std::size_t streams,
                                 std::span<const int> before, std::int64_t first, std::int64_t steps);

}  // namespace ringsim::sim
