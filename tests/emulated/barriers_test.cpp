// Barriers: phases of the asynchronous ones, collections of the named ones, and misuse.

#include "tests/emulated/barriers.hpp"

#include "models/error.hpp"
#include "tests/emulated/block.hpp"
#include "tests/emulated/block_state.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <vector>

namespace ringsim::emulated {
namespace {

constexpr std::uint32_t kBarrier = kFirstSharedAddress;

void run_threads(unsigned threads, const std::function<void(unsigned)>& thread) {
  run_grid({{1, 1, 1}, {threads, 1, 1}, 64}, [&] { thread(thread_index().x); });
}

AsyncBarriers& barriers() { return *current_block().async_barriers; }

// A barrier for 2. New: phase 0, so a wait for parity 1 returns, one for parity 0 would not. Two arrivals end phase 0,
// two more phase 1.
TEST(AsyncBarrier, PhasesAlternate) {
  run_threads(1, [](unsigned) {
    barriers().init(kBarrier, 2);
    barriers().wait(kBarrier, 1);
    barriers().arrive(kBarrier);
    barriers().wait(kBarrier, 1);  // still phase 0
    barriers().arrive(kBarrier);
    barriers().wait(kBarrier, 0);  // ended
    barriers().arrive(kBarrier);
    barriers().arrive(kBarrier);
    barriers().wait(kBarrier, 1);
  });
}

// One arrival that announces 100 bytes: 60 do not end the phase, 40 more do. The log is in order: bytes before the
// wait's return.
TEST(AsyncBarrier, WaitsForBytes) {
  std::vector<int> log;
  run_threads(2, [&](unsigned thread) {
    if (thread == 0) {
      barriers().init(kBarrier, 1);
      sync_threads();
      barriers().arrive_expecting(kBarrier, 100);
      log.push_back(60);
      barriers().complete(kBarrier, 60);
      for (int i = 0; i < 100; ++i) current_block().fibers.maybe_yield(2);
      log.push_back(40);
      barriers().complete(kBarrier, 40);
    } else {
      sync_threads();
      barriers().wait(kBarrier, 0);
      log.push_back(0);
    }
  });
  EXPECT_EQ(log, (std::vector{60, 40, 0}));
}

TEST(AsyncBarrier, MisuseIsAnError) {
  const auto misuse = [](const std::function<void()>& what) {
    EXPECT_THROW(run_threads(1, [&](unsigned) { what(); }), Error);
  };
  misuse([] { barriers().arrive(kBarrier); });                                             // never initialised
  misuse([] { barriers().init(kBarrier + 4, 1); });                                        // not a multiple of 8
  misuse([] { barriers().init(kBarrier, 1), barriers().init(kBarrier, 1); });              // twice
  misuse([] { barriers().init(kBarrier, 1), barriers().use_by_copy(kBarrier); });          // no fence
  misuse([] { barriers().init(kBarrier, 1), barriers().wait(kBarrier, 0); });              // nobody will come
  misuse([] { barriers().init(kBarrier, 2), barriers().arrive_expecting(kBarrier, 8); });  // bytes that never come
  // A phase of one arrival that is held open by bytes has no room for a second one.
  misuse([] { barriers().init(kBarrier, 1), barriers().arrive_expecting(kBarrier, 8), barriers().arrive(kBarrier); });
}

// Barrier 1 collects 64: 32 threads only arrive, 32 wait for them. What the first did before is seen by the others.
TEST(NamedBarrier, ArriversDoNotWait) {
  int arrived = 0;
  run_threads(64, [&](unsigned thread) {
    if (thread < 32) {
      ++arrived;
      current_block().named_barriers->arrive(1, 64);
    } else {
      current_block().named_barriers->sync(1, 64);
      EXPECT_EQ(arrived, 32);
    }
  });
}

TEST(NamedBarrier, MisuseIsAnError) {
  const auto misuse = [](unsigned threads, const std::function<void()>& what) {
    EXPECT_THROW(run_threads(threads, [&](unsigned) { what(); }), Error);
  };
  misuse(32, [] { current_block().named_barriers->arrive(16, 32); });
  misuse(64, [] { current_block().named_barriers->arrive(1, 40); });
  misuse(64, [] { current_block().named_barriers->arrive(1, thread_index().x < 32 ? 64 : 32); });
  // Twice before the others have come.
  misuse(64, [] {
    if (thread_index().x < 32)
      current_block().named_barriers->arrive(1, 64), current_block().named_barriers->arrive(1, 64);
  });
  // Half full at the end.
  misuse(64, [] {
    if (thread_index().x < 32) current_block().named_barriers->arrive(1, 64);
  });
}

}  // namespace
}  // namespace ringsim::emulated
