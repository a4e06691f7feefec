#pragma once
// What the parts of the emulator know of the block that is running on this OS thread.

#include "tests/emulated/block.hpp"
#include "tests/emulated/fibers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ringsim::emulated {

class AsyncBarriers;
class NamedBarriers;
class WarpgroupMma;

/// Of a warp: values that its lanes show to one another. Two generations, as a lane may come again before all have
/// looked.
struct LaneExchange {
  std::array<std::array<std::uint32_t, 32>, 2> values{};
  std::size_t arrived = 0;
  std::uint64_t generation = 0;
  WaitList waiting;
};

struct Block {
  Block(const Grid& grid, std::uint64_t seed);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  Grid grid;
  Dim3 index;
  std::vector<Dim3> threads;
  Fibers fibers;
  std::vector<std::byte> shared_storage;
  std::byte* shared = nullptr;
  std::vector<LaneExchange> warps;
  // Of sync_threads().
  std::size_t synced = 0;
  std::uint64_t sync_generation = 0;
  WaitList syncing;
  // Of the PTX instructions.
  std::unique_ptr<AsyncBarriers> async_barriers;
  std::unique_ptr<NamedBarriers> named_barriers;
  std::unique_ptr<WarpgroupMma> mma;
};

/// Throws Error outside a grid.
[[nodiscard]] Block& current_block();

// Addresses as the hardware counts them, bytes from the beginning of shared memory: the first KiB is the system's.
constexpr std::uint32_t kFirstSharedAddress = 1024;
/// Throws Error for what does not lie in the block's dynamic shared memory.
[[nodiscard]] std::uint32_t address_in_shared(const void* data);
/// `bytes` from `address` on; throws Error where they are outside.
[[nodiscard]] std::byte* shared_at(std::uint32_t address, std::size_t bytes);

}  // namespace ringsim::emulated
