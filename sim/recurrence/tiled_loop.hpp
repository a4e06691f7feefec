#pragma once
// A loop over steps of which nobody sees single operations, run a tile of ranks at a time through many steps, so that what a step
// reads and writes stays in the processor's first cache:
//
//   block of K steps:  for every tile [a, b) of ranks, in any order, on any thread
//                        copy the vectors that steps read, of [a - K·h, b + K·h)          h hops a step
//                        K steps on windows that shrink by a rank at both ends with every hop
//                        write what streams and events mean then, of [a, b)
//
// Neighbouring tiles so work out a few ranks twice (about K·h of a tile's), and need nothing of each other before the end of the
// block. A ring that is one tile has no need of that: it is closed before every hop. The same bits as operation by operation.
//
// What is not run so, but as before: several lanes, random times, hops that differ between steps (uneven blocks) or do not all go up,
// dense work and collectives inside the loop, and costs that are not kept or differ from rank to rank.

#include "sim/recurrence/tile_passes.hpp"
#include "sim/recurrence/tile_plan.hpp"
#include "sim/recurrence/worker_pool.hpp"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

namespace ringsim::sim {

/// What a thread has at hand for a tile: buffers, hop times, slowdown. All loops of a run take the same.
struct TileWorkspace {
  std::vector<double> memory;
  const TilePlan* filled_for = nullptr;  // whose hop times are in it, where the ring is one tile
};

class TiledLoop {
 public:
  /// Keeps references. `slowdown` is empty where it is 1 for all of the `ranks`.
  TiledLoop(const LoweredLoop& loop, std::size_t streams, std::int64_t ranks, const Eigen::ArrayXd& slowdown);

  /// Whether iterations of layers under a mask can be run here.
  [[nodiscard]] bool takes(std::size_t mask);
  /// Streams and events of the loop, as names_of.
  [[nodiscard]] const TileNames& names() const { return names_; }

  /// Steps from `first` on that are best taken as a block, of `left`: at least 1. `shape` may ask for others.
  [[nodiscard]] std::int64_t block(std::int64_t left, std::int64_t asked) const;
  /// The plan of a block, see plan_tile. Valid as long as this.
  const TilePlan& plan(std::span<const int> before, std::int64_t first, std::int64_t steps);
  /// Runs one: `before` and `made` are the vectors that the plan reads and writes, by number, of all ranks. `tile`: ranks of a tile, 0
  /// for as many as fit into the cache. Without a pool everything is done by the caller. `workspaces`: one a worker, made here.
  void run(const TilePlan& plan, std::size_t mask, std::int64_t first, std::span<const double* const> before,
           std::span<double* const> made, std::int64_t tile, std::vector<TileWorkspace>& workspaces, WorkerPool* pool);

 private:
  struct Known {
    std::vector<int> before;
    std::int64_t phase;
    std::int64_t steps;
    TilePlan plan;
  };
  /// What a pass's kernels take at this block's steps.
  struct Costs {
    std::array<std::span<const SegmentCost>, 2> segments;
  };
  /// Where a tile's ranks are: position `margin` is that of rank `first`.
  struct Window {
    std::int64_t first;
    std::int64_t ranks;
    std::int64_t margin;
    std::int64_t stride;  // from buffer to buffer
    bool whole;           // the tile is the ring
  };

  [[nodiscard]] std::int64_t tile_ranks(const TilePlan& plan) const;

  void run_tile(const TilePlan& plan, const Window& window, std::span<const double* const> before,
                std::span<double* const> made, TileWorkspace& workspace) const;
  void run_pass(const TilePass& pass, const Costs& costs, const Window& window, TilePassOperands& operands) const;
  void load(const double* vector, const Window& window, double* to) const;

  const LoweredLoop& loop_;
  std::size_t streams_;
  std::int64_t ranks_;
  const Eigen::ArrayXd& slowdown_;
  TileNames names_;
  bool possible_ = false;
  std::int64_t period_ = 1;  // of the events' indices, in steps
  std::vector<int> takes_;   // by mask: -1 not known yet
  std::list<Known> plans_;
  std::vector<Costs> costs_;  // by pass, of the block that runs
};

}  // namespace ringsim::sim
