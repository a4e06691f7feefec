#pragma once
// A grid of CUDA threads on the CPU: every thread of a block is a fiber of the calling thread, and blocks run one after
// the other. Fibers change where CUDA's threads wait (barriers, shuffles) and, drawn by a seed, wherever they ask the
// emulator for something: so that two runs with different seeds meet in different orders, and one with the same seed
// repeats.

#include <cstddef>
#include <cstdint>
#include <functional>

namespace ringsim::emulated {

struct Dim3 {
  unsigned x = 1, y = 1, z = 1;
};

/// What a launch asks for. `cluster`: blocks of a cluster; they, too, run one after the other.
struct Grid {
  Dim3 blocks, threads;
  std::size_t shared_bytes = 0;
  unsigned cluster = 1;
};

/// Runs `thread` as every thread of every block; returns when all have ended. What a thread throws comes out here, and
/// the grid is given up. Throws Error where all threads wait, with who waits for what; where a block is larger than
/// CUDA's; and where a block ends with asynchronous work under way. Grids of several OS threads do not know of one
/// another.
void run_grid(const Grid& grid, const std::function<void()>& thread);

/// Of the orders in which threads and asynchronous work of the grids to come proceed, on this OS thread.
void set_seed(std::uint64_t seed);

// For the threads of a grid.

[[nodiscard]] const Dim3& thread_index();
[[nodiscard]] const Dim3& block_index();
[[nodiscard]] const Dim3& block_dim();
[[nodiscard]] const Dim3& grid_dim();

/// Waits for all threads of the block that have not ended.
void sync_threads();

/// Dynamic shared memory of the block, on a 1024-byte boundary; all bits set when the block starts, which is NaN.
[[nodiscard]] std::byte* dynamic_shared();

/// Values of another lane of the warp: lane ^ `lanes`, or `lane`. All lanes of the warp take part.
[[nodiscard]] float shuffle_xor(float value, int lanes);
[[nodiscard]] std::uint32_t shuffle_xor(std::uint32_t value, int lanes);
[[nodiscard]] float shuffle(float value, int lane);
[[nodiscard]] std::uint32_t shuffle(std::uint32_t value, int lane);

/// Advances at every call, also between grids [ns].
[[nodiscard]] std::uint64_t global_timer();

}  // namespace ringsim::emulated
