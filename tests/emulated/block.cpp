#include "tests/emulated/block.hpp"

#include "models/error.hpp"
#include "tests/emulated/barriers.hpp"
#include "tests/emulated/block_state.hpp"
#include "tests/emulated/warpgroup_mma.hpp"

#include <atomic>
#include <cstring>
#include <string>

namespace ringsim::emulated {
namespace {

thread_local Block* running_block = nullptr;
thread_local std::uint64_t seed_of_thread = 1;

constexpr std::size_t kThreadsOfABlock = 1024;
constexpr std::size_t kSharedBytesOfABlock = 232448;  // sm_90, opt-in

std::size_t volume(const Dim3& size) { return std::size_t{size.x} * size.y * size.z; }

std::string triple(const Dim3& size) {
  return std::to_string(size.x) + " x " + std::to_string(size.y) + " x " + std::to_string(size.z);
}

/// The value that `source` of this lane's warp shows.
std::uint32_t exchange(std::uint32_t value, std::size_t source) {
  auto& block = current_block();
  const std::size_t thread = block.fibers.self();
  auto& warp = block.warps[thread / 32];
  const std::size_t lanes = std::min<std::size_t>(32, block.threads.size() - thread / 32 * 32);
  if (source >= lanes) throw Error("shuffle: lane " + std::to_string(source) + " is not there");
  block.fibers.maybe_yield();
  const std::uint64_t generation = warp.generation;
  auto& values = warp.values[generation % 2];
  values[thread % 32] = value;
  if (++warp.arrived == lanes) {
    warp.arrived = 0;
    ++warp.generation;
    block.fibers.wake(warp.waiting);
  }
  while (warp.generation == generation) {
    block.fibers.block(warp.waiting, [] { return "the other lanes of the warp (shuffle)"; });
  }
  return values[source];
}

std::size_t lane() { return current_block().fibers.self() % 32; }

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// All that have not ended are there.
void finish_sync(Block& block) {
  if (block.synced == 0 || block.synced < block.fibers.live()) return;
  block.synced = 0;
  ++block.sync_generation;
  block.fibers.wake(block.syncing);
}

}  // namespace

Block::Block(const Grid& asked, std::uint64_t seed)
    : grid(asked),
      fibers(volume(asked.threads), seed),
      shared_storage(asked.shared_bytes + 1024, std::byte{0xff}),
      warps((volume(asked.threads) + 31) / 32),
      async_barriers(std::make_unique<AsyncBarriers>()),
      named_barriers(std::make_unique<NamedBarriers>()),
      mma(std::make_unique<WarpgroupMma>(volume(asked.threads))) {
  void* data = shared_storage.data();
  std::size_t space = shared_storage.size();
  shared = static_cast<std::byte*>(std::align(1024, asked.shared_bytes, data, space));
  for (unsigned z = 0; z < grid.threads.z; ++z) {
    for (unsigned y = 0; y < grid.threads.y; ++y) {
      for (unsigned x = 0; x < grid.threads.x; ++x) threads.push_back({x, y, z});
    }
  }
  fibers.on_end = [this] { finish_sync(*this); };
}

Block::~Block() = default;

Block& current_block() {
  if (running_block == nullptr) throw Error("no emulated grid is running on this thread");
  return *running_block;
}

void run_grid(const Grid& grid, const std::function<void()>& thread) {
  if (running_block != nullptr) throw Error("a thread of an emulated grid launches a grid");
  if (volume(grid.threads) == 0 || volume(grid.threads) > kThreadsOfABlock) {
    throw Error("a block of " + triple(grid.threads) + " threads", {}, "1 to 1024 threads");
  }
  if (grid.shared_bytes > kSharedBytesOfABlock) {
    throw Error("a block with " + std::to_string(grid.shared_bytes) + " bytes of shared memory", {},
                "at most " + std::to_string(kSharedBytesOfABlock));
  }
  struct Running {
    explicit Running(Block* block) { running_block = block; }
    ~Running() { running_block = nullptr; }
  };
  std::uint64_t number = 0;
  for (unsigned z = 0; z < grid.blocks.z; ++z) {
    for (unsigned y = 0; y < grid.blocks.y; ++y) {
      for (unsigned x = 0; x < grid.blocks.x; ++x) {
        Block block(grid, seed_of_thread * 0x9e3779b97f4a7c15U + number++);
        block.index = {x, y, z};
        const Running running(&block);
        block.fibers.run(thread);
        block.async_barriers->check_at_end();
        block.named_barriers->check_at_end();
        block.mma->check_at_end();
      }
    }
  }
}

void set_seed(std::uint64_t seed) { seed_of_thread = seed; }

const Dim3& thread_index() {
  const auto& block = current_block();
  return block.threads[block.fibers.self()];
}
const Dim3& block_index() { return current_block().index; }
const Dim3& block_dim() { return current_block().grid.threads; }
const Dim3& grid_dim() { return current_block().grid.blocks; }

void sync_threads() {
  auto& block = current_block();
  block.fibers.maybe_yield();
  const std::uint64_t generation = block.sync_generation;
  ++block.synced;
  finish_sync(block);
  while (block.sync_generation == generation) {
    block.fibers.block(block.syncing, [] { return "__syncthreads"; });
  }
}

std::byte* dynamic_shared() { return current_block().shared; }

float shuffle_xor(float value, int lanes) {
  return float_of(exchange(bits_of(value), lane() ^ static_cast<std::size_t>(lanes)));
}
std::uint32_t shuffle_xor(std::uint32_t value, int lanes) {
  return exchange(value, lane() ^ static_cast<std::size_t>(lanes));
}
float shuffle(float value, int lane) { return float_of(exchange(bits_of(value), static_cast<std::size_t>(lane))); }
std::uint32_t shuffle(std::uint32_t value, int lane) { return exchange(value, static_cast<std::size_t>(lane)); }

std::uint64_t global_timer() {
  static std::atomic<std::uint64_t> nanoseconds = 0;
  if (running_block != nullptr) running_block->fibers.maybe_yield();
  return nanoseconds += 32;
}

std::uint32_t address_in_shared(const void* data) {
  const auto& block = current_block();
  const auto offset = static_cast<const std::byte*>(data) - block.shared;
  if (offset < 0 || static_cast<std::size_t>(offset) >= block.grid.shared_bytes) {
    throw Error("an address that is not in the block's dynamic shared memory");
  }
  return kFirstSharedAddress + static_cast<std::uint32_t>(offset);
}

std::byte* shared_at(std::uint32_t address, std::size_t bytes) {
  const auto& block = current_block();
  if (address < kFirstSharedAddress || address - kFirstSharedAddress + bytes > block.grid.shared_bytes) {
    throw Error("shared memory: bytes " + std::to_string(address) + " and " + std::to_string(bytes) +
                " more are outside of the block's");
  }
  return block.shared + (address - kFirstSharedAddress);
}

}  // namespace ringsim::emulated
