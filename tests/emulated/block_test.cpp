// Grids of fibers: who runs, who waits for whom, what is said of those who wait for ever.

#include "tests/emulated/block.hpp"

#include "models/error.hpp"
#include "tests/emulated/barriers.hpp"
#include "tests/emulated/block_state.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::emulated {
namespace {

std::string failure_of(const Grid& grid, const std::function<void()>& thread) {
  try {
    run_grid(grid, thread);
  } catch (const Error& error) {
    return error.message();
  }
  return "no failure";
}

// 2 x 3 blocks of 5 x 2 threads: 60 index pairs, each once. Thread x of 5, y of 2, block x of 2, y of 3 as one number.
TEST(Grid, RunsEveryThreadOfEveryBlockOnce) {
  std::vector<int> runs(60);
  run_grid({{2, 3, 1}, {5, 2, 1}}, [&] {
    const auto& t = thread_index();
    const auto& b = block_index();
    EXPECT_EQ(block_dim().y, 2U);
    EXPECT_EQ(grid_dim().x, 2U);
    ++runs[((b.y * 2 + b.x) * 2 + t.y) * 5 + t.x];
  });
  for (const int count : runs) EXPECT_EQ(count, 1);
}

// Thread t writes t, and after the barrier reads what its mirror has written, 99 - t. 50 rounds, whose barriers must
// not mix: the second barrier keeps a fast thread from overwriting what a slow one has yet to read.
TEST(Grid, SyncThreadsSeparatesWritersFromReaders) {
  run_grid({{1, 1, 1}, {100, 1, 1}, 400}, [] {
    const std::size_t t = thread_index().x;
    for (int round = 0; round < 50; ++round) {
      const int written = static_cast<int>(t) + round;
      std::memcpy(dynamic_shared() + 4 * t, &written, 4);
      sync_threads();
      int read = 0;
      std::memcpy(&read, dynamic_shared() + 4 * (99 - t), 4);
      EXPECT_EQ(read, 99 - static_cast<int>(t) + round);
      sync_threads();
    }
  });
}

// Threads that have ended are not waited for.
TEST(Grid, SyncThreadsCountsThoseThatAreLeft) {
  int passed = 0;
  run_grid({{1, 1, 1}, {64, 1, 1}}, [&] {
    if (thread_index().x >= 32) return;
    sync_threads();
    ++passed;
  });
  EXPECT_EQ(passed, 32);
}

// Lane l shows 10·l; lane l ^ 5 shows 10·(l ^ 5). Lane 7 shows 70 to all. The second warp is 8 lanes wide (40 threads).
TEST(Grid, ShufflesInsideAWarp) {
  run_grid({{1, 1, 1}, {40, 1, 1}}, [] {
    const unsigned lane = thread_index().x % 32;
    EXPECT_EQ(shuffle_xor(10 * lane, 5), 10 * (lane ^ 5U));
    EXPECT_EQ(shuffle(10 * lane, 7), 70U);
    EXPECT_EQ(shuffle_xor(0.5F * static_cast<float>(lane), 1), 0.5F * static_cast<float>(lane ^ 1U));
  });
}

TEST(Grid, SharedMemoryBeginsOnAKibibyteAndIsNaN) {
  run_grid({{2, 1, 1}, {1, 1, 1}, 8}, [] {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(dynamic_shared()) % 1024, 0U);
    // Of the second block too, although the first has written.
    EXPECT_EQ(dynamic_shared()[7], std::byte{0xff});
    dynamic_shared()[7] = std::byte{0};
  });
}

// 64 of 96 threads come to a barrier of 96, the others to __syncthreads: both are named, with how many are missing.
TEST(Grid, ReportsWhoWaitsForWhat) {
  const std::string said = failure_of({{1, 1, 1}, {96, 1, 1}}, [] {
    if (thread_index().x < 64) {
      current_block().named_barriers->sync(3, 96);
    } else {
      sync_threads();
    }
  });
  EXPECT_NE(said.find("64 of threads 0 to 63 for named barrier 3"), std::string::npos) << said;
  EXPECT_NE(said.find("32 of threads 64 to 95 for __syncthreads"), std::string::npos) << said;
}

TEST(Grid, PassesOnWhatAThreadThrows) {
  EXPECT_THROW(run_grid({{1, 1, 1}, {64, 1, 1}},
                        [] {
                          if (thread_index().x == 40) throw std::out_of_range("thread 40");
                          sync_threads();
                        }),
               std::out_of_range);
  // And the next grid runs.
  int runs = 0;
  run_grid({{1, 1, 1}, {64, 1, 1}}, [&] { ++runs; });
  EXPECT_EQ(runs, 64);
}

TEST(Grid, RefusesBlocksThatAreTooLarge) {
  EXPECT_NE(failure_of({{1, 1, 1}, {1025, 1, 1}}, [] {}), "no failure");
  EXPECT_NE(failure_of({{1, 1, 1}, {32, 1, 1}, 232449}, [] {}), "no failure");
  EXPECT_EQ(failure_of({{1, 1, 1}, {1024, 1, 1}, 232448}, [] {}), "no failure");
}

std::vector<unsigned> order_of_threads(std::uint64_t seed) {
  set_seed(seed);
  std::vector<unsigned> order;
  run_grid({{1, 1, 1}, {64, 1, 1}}, [&] { order.push_back(thread_index().x); });
  return order;
}

TEST(Grid, OrderIsThatOfTheSeed) {
  EXPECT_EQ(order_of_threads(1), order_of_threads(1));
  EXPECT_NE(order_of_threads(1), order_of_threads(2));
}

TEST(Grid, GlobalTimerAdvances) {
  std::uint64_t last = 0;
  run_grid({{2, 1, 1}, {1, 1, 1}}, [&] {
    for (int i = 0; i < 10; ++i) {
      const std::uint64_t now = global_timer();
      EXPECT_GT(now, last);
      last = now;
    }
  });
}

}  // namespace
}  // namespace ringsim::emulated
