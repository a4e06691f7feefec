// TMA: where a box's elements go, what is outside, when the bytes count.

#include "tests/emulated/tensor_copy.hpp"

#include "kernels/cuda/hopper/tensor_box.hpp"
#include "models/error.hpp"
#include "tests/emulated/barriers.hpp"
#include "tests/emulated/block.hpp"
#include "tests/emulated/block_state.hpp"

#include <gtest/gtest.h>
#include <ringsim_tensor_map.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <vector>

namespace ringsim::emulated {
namespace {

// Worked out by hand: row r of an atom holds chunk c at place c xor r. Row 0 is as it was; row 1 swaps neighbours; row
// 2 swaps pairs; row 5 = 101: chunk 0 to 5, 1 to 4, 2 to 7, 3 to 6; row 7 is backwards; row 8 begins the next atom, as
// row 0.
TEST(Swizzle, TableByHand) {
  const std::array<std::array<std::uint32_t, 9>, 5> rows = {{
      {0, 0, 1, 2, 3, 4, 5, 6, 7},
      {1, 1, 0, 3, 2, 5, 4, 7, 6},
      {2, 2, 3, 0, 1, 6, 7, 4, 5},
      {5, 5, 4, 7, 6, 1, 0, 3, 2},
      {7, 7, 6, 5, 4, 3, 2, 1, 0},
  }};
  for (const auto& row : rows) {
    for (std::uint32_t chunk = 0; chunk < 8; ++chunk) {
      EXPECT_EQ(swizzle_128(row[0] * 128 + chunk * 16), row[0] * 128 + row[chunk + 1] * 16);
      EXPECT_EQ(swizzle_128((row[0] + 8) * 128 + chunk * 16), (row[0] + 8) * 128 + row[chunk + 1] * 16);
    }
  }
  // Bytes inside a chunk stay side by side.
  EXPECT_EQ(swizzle_128(128 + 6), 128U + 16 + 6);
}

/// A tensor of 2 heads x 5 rows x 128, element (h, r, d) = 1000·h + 128·r + d as a bit pattern.
struct Numbers {
  std::vector<cuda::Bf16> values = std::vector<cuda::Bf16>(2 * 1024);
  cuda::TensorMap map;
  Numbers() {
    for (std::size_t h = 0; h < 2; ++h) {
      for (std::size_t r = 0; r < 8; ++r) {
        for (std::size_t d = 0; d < 128; ++d) {
          values[h * 1024 + r * 128 + d].bits = static_cast<std::uint16_t>(1000 * h + 128 * r + d);
        }
      }
    }
    // Five rows count, although the next head begins after eight.
    map = cuda::encode(cuda::boxes_of({values.data(), 2, 5, 128, 1024}, 8));
  }
};

std::uint16_t element(std::uint32_t address) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, shared_at(address, 2), 2);
  return bits;
}

// A box of 8 rows x 64 from (head 0, row 2, column 64): rows 2, 3, 4 exist; rows 5 to 7 of memory belong to nobody and
// rows beyond to the next head: zeros. Row r, column d lies at 128·r + 16·(d/8 xor r) + 2·(d mod 8). 1024 bytes count
// at the barrier.
TEST(TensorCopy, BoxAcrossTheEndOfAHead) {
  const Numbers numbers;
  run_grid({{1, 1, 1}, {1, 1, 1}, 2048}, [&] {
    auto& barriers = *current_block().async_barriers;
    const std::uint32_t tile = kFirstSharedAddress;
    const std::uint32_t barrier = kFirstSharedAddress + 1024;
    barriers.init(barrier, 1);
    barriers.fence_init();
    barriers.arrive_expecting(barrier, 1024);
    copy_box(tile, numbers.map, barrier, 64, 2, 0);
    barriers.wait(barrier, 0);
    for (std::uint32_t r = 0; r < 8; ++r) {
      for (std::uint32_t d = 0; d < 64; ++d) {
        const std::uint32_t expected = r < 3 ? 128 * (r + 2) + 64 + d : 0;
        EXPECT_EQ(element(tile + 128 * r + 16 * (d / 8 ^ r) + 2 * (d % 8)), expected) << r << ", " << d;
      }
    }
  });
}

// With many seeds: never has a byte of the box come too late for the wait.
TEST(TensorCopy, AllBytesAreThereWhenThePhaseEnds) {
  const Numbers numbers;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    set_seed(seed);
    run_grid({{1, 1, 1}, {32, 1, 1}, 2048}, [&] {
      auto& barriers = *current_block().async_barriers;
      const std::uint32_t barrier = kFirstSharedAddress + 1024;
      if (thread_index().x == 0) {
        barriers.init(barrier, 1);
        barriers.fence_init();
      }
      sync_threads();
      if (thread_index().x == 0) {
        barriers.arrive_expecting(barrier, 1024);
        copy_box(kFirstSharedAddress, numbers.map, barrier, 0, 0, 1);
      }
      barriers.wait(barrier, 0);
      // Head 1, row 4, column 0: 1000 + 512, chunk 0 xor 4.
      EXPECT_EQ(element(kFirstSharedAddress + 4 * 128 + 64), 1512U);
    });
  }
}

TEST(TensorCopy, MisuseIsAnError) {
  const Numbers numbers;
  const auto copy = [&](std::uint32_t to, bool fence) {
    run_grid({{1, 1, 1}, {1, 1, 1}, 4096}, [&] {
      auto& barriers = *current_block().async_barriers;
      const std::uint32_t barrier = kFirstSharedAddress + 3072;
      barriers.init(barrier, 1);
      if (fence) barriers.fence_init();
      barriers.arrive_expecting(barrier, 1024);
      copy_box(to, numbers.map, barrier, 0, 0, 0);
      barriers.wait(barrier, 0);
    });
  };
  EXPECT_NO_THROW(copy(kFirstSharedAddress, true));
  EXPECT_THROW(copy(kFirstSharedAddress, false), Error);        // the copying unit has not been told of the barrier
  EXPECT_THROW(copy(kFirstSharedAddress + 64, true), Error);    // not on 128 bytes
  EXPECT_THROW(copy(kFirstSharedAddress + 3584, true), Error);  // beyond the block's memory
}

TEST(TensorMap, RulesOfTheDriver) {
  const Numbers numbers;
  EXPECT_THROW(static_cast<void>(cuda::encode(cuda::boxes_of({numbers.values.data() + 1, 2, 5, 128, 1024}, 8))), Error);
  EXPECT_THROW(static_cast<void>(cuda::encode(cuda::boxes_of({numbers.values.data(), 2, 5, 128, 1020}, 8))), Error);
  EXPECT_THROW(static_cast<void>(cuda::encode(cuda::boxes_of({numbers.values.data(), 2, 5, 128, 1024}, 257))), Error);
  EXPECT_THROW(static_cast<void>(cuda::encode(cuda::boxes_of({numbers.values.data(), 2, 0, 128, 1024}, 8))), Error);
}

}  // namespace
}  // namespace ringsim::emulated
