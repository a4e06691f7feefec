// The sm_90a kernel's host side: what it refuses, and how its work is divided.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/hopper/attention.hpp"
#include "kernels/cuda/hopper/tiles.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

namespace ringsim::cuda {
namespace {

/// A call of 4 query heads and 2 key heads, 8 x 16 tokens, in one piece of memory.
struct Call {
  Memory<Bf16> memory{std::size_t{128} * 8 * 16 * 4};
  Memory<float> sums{std::size_t{4} * 8};
  ForwardCall call;
  Call() {
    call.q = contiguous<const Bf16>(memory.data(), 4, 8, 128);
    call.k = call.v = contiguous<const Bf16>(memory.data(), 2, 16, 128);
    call.o = contiguous(memory.data(), 4, 8, 128);
    call.lse = contiguous(sums.data(), 4, 8, 1);
  }
};

void expect_refused(const char* part_of_message, const std::function<void(ForwardCall&, HopperOptions&)>& change) {
  Call made;
  HopperOptions options;
  change(made.call, options);
  try {
    check_hopper_call(made.call, options);
    ADD_FAILURE() << "accepted: " << part_of_message;
  } catch (const Error& error) {
    EXPECT_NE(error.message().find(part_of_message), std::string::npos) << error.message();
  }
}

TEST(HopperInterface, RefusesWhatTheKernelDoesNotHave) {
  EXPECT_NO_THROW(check_hopper_call(Call().call, {}));
  expect_refused("q is [4][8][64]", [](ForwardCall& call, HopperOptions&) { call.q.dim = 64; });
  expect_refused("v is [2][16][64]", [](ForwardCall& call, HopperOptions&) { call.v.dim = 64; });
  expect_refused("v is [2][15][128]", [](ForwardCall& call, HopperOptions&) { call.v.rows = 15; });
  expect_refused("4 query heads and 3 key heads",
                 [](ForwardCall& call, HopperOptions&) { call.k.heads = call.v.heads = 3; });
  expect_refused("o is [4][7][128]", [](ForwardCall& call, HopperOptions&) { call.o.rows = 7; });
  expect_refused("lse is [4][8][2]", [](ForwardCall& call, HopperOptions&) { call.lse.dim = 2; });
  expect_refused("q does not begin", [](ForwardCall& call, HopperOptions&) { call.q.data += 4; });  // 8 bytes
  expect_refused("or its heads do not", [](ForwardCall& call, HopperOptions&) { call.k.head_stride += 4; });
  expect_refused("the heads of k overlap", [](ForwardCall& call, HopperOptions&) { call.k.head_stride = 128; });
  expect_refused("o has no memory", [](ForwardCall& call, HopperOptions&) { call.o.data = nullptr; });
  expect_refused("a scale of 0", [](ForwardCall& call, HopperOptions&) { call.scale = 0; });
  expect_refused("-1 SMs", [](ForwardCall&, HopperOptions& options) { options.sms = -1; });
  expect_refused("blocks of 64 keys", [](ForwardCall&, HopperOptions& options) { options.key_rows = 64; });
  expect_refused("blocks of 176 keys", [](ForwardCall& call, HopperOptions& options) {
    options.key_rows = 176;
    call.causal = true;
  });
}

TEST(HopperInterface, IsForwardAlone) {
  const auto kernels = hopper_kernels(3);
  EXPECT_EQ(kernels->name(), "sm90");
  EXPECT_FALSE(kernels->has_backward());
  EXPECT_THROW(kernels->prepare(BackwardCall{}), Error);
  EXPECT_THROW(kernels->backward(BackwardCall{}, nullptr), Error);
}

Shape shape(int heads, int queries, int keys, bool causal, int diagonal) {
  return {heads, 1, queries, keys, causal, diagonal};
}

// 5 heads of 300 rows are 5·3 = 15 tiles. Whatever the grid, each is dealt out once, and rounds end where there is none
// left.
TEST(HopperTiles, EachIsDealtOutOnce) {
  for (const bool causal : {false, true}) {
    const Shape of_call = shape(5, 300, 300, causal, 0);
    ASSERT_EQ(of_call.tiles(), 15);
    for (const int blocks : {1, 2, 4, 7, 15}) {
      std::vector<int> dealt(15);
      for (int block = 0; block < blocks; ++block) {
        for (int round = 0; tile_of(round, block, blocks) < 15; ++round) {
          const Tile tile = tile_at(of_call, tile_of(round, block, blocks));
          ++dealt[static_cast<std::size_t>(tile.head * 3 + tile.first_query / 128)];
        }
      }
      EXPECT_EQ(dealt, std::vector<int>(15, 1)) << blocks;
    }
  }
}

// Keys that rows see: full all 1000; causal row i with diagonal d the first i + d + 1, at least none and at most all.
TEST(HopperTiles, KeysOfARow) {
  EXPECT_EQ(shape(1, 300, 1000, false, 0).keys_of(0), 1000);
  EXPECT_EQ(shape(1, 300, 1000, true, 0).keys_of(0), 1);
  EXPECT_EQ(shape(1, 300, 1000, true, -5).keys_of(4), 0);
  EXPECT_EQ(shape(1, 300, 1000, true, -5).keys_of(3), 0);
  EXPECT_EQ(shape(1, 300, 1000, true, 900).keys_of(299), 1000);
}

// Blocks of 128 that a tile needs: of rows 0 to 127 the last sees 128 keys, one block; of 128 to 255 two; of 256 to 299
// the last one is row 299, 300 keys, three. With diagonal 1 row 127 sees 129 keys: one block more. With -128 the first
// tile sees none.
TEST(HopperTiles, BlocksOfATile) {
  const auto blocks = [](int diagonal) {
    std::vector<int> counts;
    for (const int first : {0, 128, 256}) counts.push_back(key_blocks(shape(1, 300, 1000, true, diagonal), first, 128));
    return counts;
  };
  EXPECT_EQ(blocks(0), (std::vector{1, 2, 3}));
  EXPECT_EQ(blocks(1), (std::vector{2, 3, 3}));
  EXPECT_EQ(blocks(-128), (std::vector{0, 1, 2}));
  EXPECT_EQ(key_blocks(shape(1, 300, 1000, false, 0), 0, 176), 6);  // 5.7
  EXPECT_EQ(key_blocks(shape(1, 300, 0, false, 0), 0, 176), 0);
}

// Causal, 4096 rows, 8 heads: 32 lengths of tiles (1 to 32 blocks) 8 times each, 8·32·33/2 = 4224 blocks, 4224/60 =
// 70.4 for each of 60 SMs. The longest-first order in turns keeps the busiest one within the longest half tile of that.
TEST(HopperTiles, CausalWorkIsEven) {
  const Shape of_call = shape(8, 4096, 4096, true, 0);
  std::vector<int> work(60);
  for (int block = 0; block < 60; ++block) {
    for (int round = 0; tile_of(round, block, 60) < of_call.tiles(); ++round) {
      work[static_cast<std::size_t>(block)] +=
          key_blocks(of_call, tile_at(of_call, tile_of(round, block, 60)).first_query, 128);
    }
  }
  EXPECT_EQ(std::accumulate(work.begin(), work.end(), 0), 4224);
  EXPECT_LE(*std::max_element(work.begin(), work.end()), 70 + 16);
}

}  // namespace
}  // namespace ringsim::cuda
