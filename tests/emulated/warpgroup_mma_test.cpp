// wgmma: products in both majors and from registers against plain ones, and what is wrong when somebody does not wait.
//
// Numbers are small integers, which bf16 and fp32 hold exactly, so results are equal and not close.

#include "tests/emulated/warpgroup_mma.hpp"

#include "kernels/cuda/bf16.hpp"
#include "models/error.hpp"
#include "tests/emulated/barriers.hpp"
#include "tests/emulated/block.hpp"
#include "tests/emulated/block_state.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>

namespace ringsim::emulated {
namespace {

constexpr std::size_t kN = 136;  // more than two panels of 64 columns
float a_of(std::size_t i, std::size_t k) { return static_cast<float>((3 * i + 5 * k) % 7) - 3; }
float b_of(std::size_t k, std::size_t j) { return static_cast<float>((2 * k + j) % 5) - 2; }
float product(std::size_t i, std::size_t j) {
  float sum = 0;
  for (std::size_t k = 0; k < 16; ++k) sum += a_of(i, k) * b_of(k, j);
  return sum;
}

// Of this block: A, k-major, and B in both majors, each with room to spare.
constexpr std::uint32_t kA = kFirstSharedAddress;
constexpr std::uint32_t kB = kA + 64 * 128;
constexpr std::uint32_t kBTransposed = kB + 17 * 1024;
constexpr std::uint32_t kPanel = 2 * 1024;  // 16 rows of 128 bytes
constexpr std::size_t kShared = 64 * 128 + 17 * 1024 + 3 * kPanel;

void put(std::uint32_t address, float value) {
  const auto bits = cuda::to_bf16(value);
  std::memcpy(shared_at(address, 2), &bits, 2);
}
/// Row r, element e of a matrix with rows of 64 elements: chunk e/8 lies at place e/8 xor r mod 8.
std::uint32_t place(std::uint32_t matrix, std::size_t r, std::size_t e) {
  return matrix + static_cast<std::uint32_t>(r * 128 + ((e / 8) ^ (r % 8)) * 16 + e % 8 * 2);
}
std::uint64_t descriptor(std::uint32_t address, std::uint32_t leading_bytes, std::uint32_t stride_bytes) {
  return (address >> 4U) | std::uint64_t{leading_bytes >> 4U} << 16U | std::uint64_t{stride_bytes >> 4U} << 32U |
         std::uint64_t{1} << 62U;
}

/// `k_first`: the columns of the rows of A and B that are the 16 of the product, a multiple of 16.
void fill(std::size_t k_first) {
  for (std::size_t k = 0; k < 16; ++k) {
    for (std::size_t i = 0; i < 64; ++i) put(place(kA, i, k_first + k), a_of(i, k));
    for (std::size_t j = 0; j < kN; ++j) put(place(kB, j, k_first + k), b_of(k, j));
    for (std::size_t j = 0; j < kN; ++j) {
      put(place(kBTransposed + static_cast<std::uint32_t>(j / 64) * kPanel, k, j % 64), b_of(k, j));
    }
  }
}

using Registers = std::array<float, kN / 2>;

/// Row and column of register i, from the figure of D: lane l of warp w has rows 16w + l/4 and + 8.
std::size_t row(std::size_t thread, std::size_t i) { return thread / 32 * 16 + thread % 32 / 4 + (i % 4 >= 2 ? 8 : 0); }
std::size_t column(std::size_t thread, std::size_t i) { return i / 4 * 8 + thread % 4 * 2 + i % 2; }

void run_warpgroup(const std::function<void(std::size_t thread, Registers& d)>& body) {
  run_grid({{1, 1, 1}, {128, 1, 1}, kShared}, [&] {
    Registers d{};
    body(thread_index().x, d);
  });
}

Multiplication from_shared(std::size_t k_first) {
  const auto bytes = static_cast<std::uint32_t>(2 * k_first);
  return {kN, true, nullptr, descriptor(kA + bytes, 0, 1024), descriptor(kB + bytes, 0, 1024), Major::k};
}

/// D as it should be: `times` the product on top of `start`.
void expect_product(std::size_t thread, const Registers& d, float start, float times) {
  for (std::size_t i = 0; i < d.size(); ++i) {
    ASSERT_EQ(d[i], start + times * product(row(thread, i), column(thread, i)))
        << "thread " << thread << ", register " << i;
  }
}

// D starts at 2, and two products of one group come on top; a third, which does not accumulate, makes it a single one.
// Every step of 16 within the rows of 64.
TEST(WarpgroupMma, BothInSharedMemory) {
  for (const std::size_t k_first : {0U, 16U, 32U, 48U}) {
    run_warpgroup([&](std::size_t thread, Registers& d) {
      auto& mma = *current_block().mma;
      if (thread == 0) fill(k_first);
      sync_threads();
      d.fill(2);
      mma.fence();
      auto asked = from_shared(k_first);
      mma.multiply(d.data(), asked);
      mma.multiply(d.data(), asked);
      mma.commit();
      mma.wait(0);
      expect_product(thread, d, 2, 2);
      mma.fence();
      asked.accumulate = false;
      mma.multiply(d.data(), asked);
      mma.commit();
      mma.wait(0);
      expect_product(thread, d, 0, 1);
    });
  }
}

// A from registers: register r of lane l holds columns 2(l mod 4) and the next, r = 1 and 3 eight rows further down, r
// = 2 and 3 eight columns to the right. B across: a row of memory is one k.
TEST(WarpgroupMma, RegistersAndTransposed) {
  run_warpgroup([&](std::size_t thread, Registers& d) {
    auto& mma = *current_block().mma;
    if (thread == 0) fill(0);
    sync_threads();
    std::array<std::uint32_t, 4> a{};
    for (std::size_t r = 0; r < 4; ++r) {
      const std::size_t i = thread / 32 * 16 + thread % 32 / 4 + (r % 2 == 1 ? 8 : 0);
      const std::size_t k = thread % 4 * 2 + (r >= 2 ? 8 : 0);
      a[r] = cuda::to_bf16(a_of(i, k)).bits | std::uint32_t{cuda::to_bf16(a_of(i, k + 1)).bits} << 16U;
    }
    mma.fence();
    mma.multiply(d.data(), {kN, true, a.data(), 0, descriptor(kBTransposed, kPanel, 1024), Major::mn});
    mma.commit();
    mma.wait(0);
    expect_product(thread, d, 0, 1);
  });
}

// Two groups, one may stay under way: the first one's registers are there, the second one's not.
TEST(WarpgroupMma, RegistersAreNaNUntilTheWaitThatCoversThem) {
  run_warpgroup([&](std::size_t thread, Registers& first) {
    auto& mma = *current_block().mma;
    if (thread == 0) fill(0);
    sync_threads();
    Registers second{};
    mma.fence();
    mma.multiply(first.data(), from_shared(0));
    mma.commit();
    mma.multiply(second.data(), from_shared(0));
    mma.commit();
    EXPECT_TRUE(std::isnan(first[5]));
    mma.wait(1);
    expect_product(thread, first, 0, 1);
    EXPECT_TRUE(std::isnan(second[5]));
    mma.wait(0);
    expect_product(thread, second, 0, 1);
  });
}

// B is overwritten by zeros behind the commit and before the wait. In some orders the product has read it by then, in
// others not: over 20 seeds a wrong result must show.
TEST(WarpgroupMma, OperandOverwrittenEarlyShows) {
  int wrong = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    set_seed(seed);
    bool differs = false;
    run_warpgroup([&](std::size_t thread, Registers& d) {
      auto& mma = *current_block().mma;
      if (thread == 0) fill(0);
      sync_threads();
      mma.fence();
      mma.multiply(d.data(), from_shared(0));
      mma.commit();
      if (thread == 0) std::memset(shared_at(kB, 17 * 1024), 0, 17 * 1024);
      mma.wait(0);
      for (std::size_t i = 0; i < d.size(); ++i) differs |= d[i] != product(row(thread, i), column(thread, i));
    });
    wrong += differs ? 1 : 0;
  }
  EXPECT_GT(wrong, 10);
}

TEST(WarpgroupMma, MisuseIsAnError) {
  const auto misuse = [](const std::function<void(std::size_t, Registers&)>& body) {
    EXPECT_THROW(run_warpgroup(body), Error);
  };
  auto* const mma = +[] { return current_block().mma.get(); };
  misuse([&](std::size_t, Registers& d) { mma()->multiply(d.data(), from_shared(0)); });  // no fence
  misuse([&](std::size_t thread, Registers& d) {                                          // one warp stays away
    if (thread < 32) return;
    mma()->fence();
    mma()->multiply(d.data(), from_shared(0));
    mma()->commit();
    mma()->wait(0);
  });
  misuse([&](std::size_t thread, Registers& d) {  // not the same instruction
    mma()->fence();
    auto asked = from_shared(0);
    if (thread == 7) asked.b_descriptor += 2;
    mma()->multiply(d.data(), asked);
  });
  misuse([&](std::size_t, Registers& d) {  // never waited for
    mma()->fence();
    mma()->multiply(d.data(), from_shared(0));
    mma()->commit();
  });
  misuse([&](std::size_t, Registers& d) {  // no swizzle
    mma()->fence();
    auto asked = from_shared(0);
    asked.a_descriptor &= ~(std::uint64_t{3} << 62U);
    mma()->multiply(d.data(), asked);
    mma()->commit();
    mma()->wait(0);
  });
}

}  // namespace
}  // namespace ringsim::emulated
