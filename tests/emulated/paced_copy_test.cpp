// Paced copies: the right bytes, at the link's rate in virtual time, by both engines, eagerly and in a graph.

#include "kernels/cuda/paced_copy.hpp"

#include "kernels/cuda/graph.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ringsim::cuda {
namespace {

using tests::download;

std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  return words;
}

struct Measured {
  std::vector<std::uint32_t> words;
  double seconds = 0;
};

Measured copy(PacedCopy& paced, const std::vector<std::uint32_t>& words, bool in_graph) {
  const Stream stream(Stream::Priority::high);
  const Memory<std::uint32_t> from = tests::upload(words);
  const Memory<std::uint32_t> to(words.size());
  const Event begin;
  const Event end;
  const auto run = [&] { paced.run(to.data(), from.data(), from.bytes(), stream.get()); };
  if (in_graph) {
    const Graph graph(stream.get(), run);
    begin.record(stream.get());
    graph.launch(stream.get());
    end.record(stream.get());
    stream.synchronize();
  } else {
    begin.record(stream.get());
    run();
    end.record(stream.get());
    stream.synchronize();
  }
  return {download(to.data(), words.size()), seconds_between(begin, end)};
}

struct Case {
  CopyEngine engine;
  int blocks;
  int cluster;
  std::size_t bytes;
  double bytes_per_s;
};

class PacedCopies : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override { emulated::reset(); }
};

// At least bytes / rate, and at most 1 % and what launching costs more: 3 µs before the first operation begins, a kernel's
// 2 µs twice, and the host, which may enqueue 2 operations a chunk more slowly (1 µs each) than a chunk takes.
TEST_P(PacedCopies, TakeTheLinksTime) {
  const Case c = GetParam();
  const std::vector<std::uint32_t> words = random_words(c.bytes / 4, 1);
  for (const bool in_graph : {false, true}) {
    emulated::reset();
    PacedCopyOptions options;
    options.engine = c.engine;
    options.bytes_per_s = c.bytes_per_s;
    options.blocks = c.blocks;
    options.cluster = c.cluster;
    options.chunk_bytes = 64 << 10;
    PacedCopy paced(options);
    const Measured measured = copy(paced, words, in_graph);
    EXPECT_TRUE(measured.words == words);
    const double link_s = static_cast<double>(c.bytes) / c.bytes_per_s;
    EXPECT_GE(measured.seconds, link_s);
    EXPECT_LE(measured.seconds, 1.01 * link_s + 10e-6);
    EXPECT_EQ(emulated::broken_guards(), "");
  }
}

// Whole chunks, tails, less than a chunk, a single word of 16 bytes; one block and several, which may not divide a chunk.
INSTANTIATE_TEST_SUITE_P(Cases, PacedCopies,
                         ::testing::Values(Case{CopyEngine::sm_kernel, 1, 1, 256 << 10, 1e9},
                                           Case{CopyEngine::sm_kernel, 8, 4, 256 << 10, 10e9},
                                           Case{CopyEngine::sm_kernel, 3, 1, (200 << 10) + 16, 1e9},
                                           Case{CopyEngine::sm_kernel, 8, 1, 16, 1e9},
                                           Case{CopyEngine::copy_engine, 1, 1, 256 << 10, 1e9},
                                           Case{CopyEngine::copy_engine, 1, 1, 1 << 20, 5e9},
                                           Case{CopyEngine::copy_engine, 1, 1, (200 << 10) + 16, 1e9},
                                           Case{CopyEngine::copy_engine, 1, 1, 16, 1e9}));

class PacedCopyTest : public ::testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
};

// Without a rate: as fast as it goes. The copy engine at 1 GB/s takes 256 KiB / 1 GB/s = 262 µs and launching.
TEST_F(PacedCopyTest, Unpaced) {
  const std::vector<std::uint32_t> words = random_words(64 << 10, 2);
  for (const CopyEngine engine : {CopyEngine::sm_kernel, CopyEngine::copy_engine}) {
    emulated::Settings settings;
    settings.memory_bytes_per_s = 1e9;
    emulated::reset(settings);
    PacedCopyOptions options;
    options.engine = engine;
    PacedCopy paced(options);
    const Measured measured = copy(paced, words, false);
    EXPECT_TRUE(measured.words == words);
    if (engine == CopyEngine::copy_engine) {
      EXPECT_NEAR(measured.seconds, 262e-6, 10e-6);
    }
  }
}

// A copy engine slower than the link: 1 GB/s against 2, so it takes 262 µs and not 131.
TEST_F(PacedCopyTest, CannotBeFasterThanItsEngine) {
  emulated::Settings settings;
  settings.memory_bytes_per_s = 1e9;
  emulated::reset(settings);
  PacedCopyOptions options;
  options.engine = CopyEngine::copy_engine;
  options.bytes_per_s = 2e9;
  options.chunk_bytes = 64 << 10;
  PacedCopy paced(options);
  EXPECT_NEAR(copy(paced, random_words(64 << 10, 3), false).seconds, 262e-6, 30e-6);
}

// Within the copy, too, it keeps to the rate: with chunks of a quarter each, an event behind half of the bytes (two copies of
// one object in a row) comes after half of the time.
TEST_F(PacedCopyTest, CopiesFollowEachOther) {
  for (const CopyEngine engine : {CopyEngine::sm_kernel, CopyEngine::copy_engine}) {
    emulated::reset();
    PacedCopyOptions options;
    options.engine = engine;
    options.bytes_per_s = 1e9;
    options.chunk_bytes = 64 << 10;
    PacedCopy paced(options);
    const Stream stream;
    const Memory<std::byte> from(256 << 10);
    const Memory<std::byte> to(256 << 10);
    const Event begin;
    const Event middle;
    const Event end;
    begin.record(stream.get());
    paced.run(to.data(), from.data(), 128 << 10, stream.get());
    middle.record(stream.get());
    paced.run(to.data() + (128 << 10), from.data() + (128 << 10), 128 << 10, stream.get());
    end.record(stream.get());
    stream.synchronize();
    EXPECT_NEAR(seconds_between(begin, middle), 131e-6, 10e-6);
    EXPECT_NEAR(seconds_between(middle, end), 131e-6, 10e-6);
  }
}

TEST_F(PacedCopyTest, OptionsAreChecked) {
  PacedCopyOptions options;
  options.cluster = 3;
  EXPECT_THROW(PacedCopy{options}, Error);
  options.cluster = 4;
  options.blocks = 6;
  EXPECT_THROW(PacedCopy{options}, Error);
  options.blocks = 8;
  EXPECT_NO_THROW(PacedCopy{options});
  options.chunk_bytes = 24;
  EXPECT_THROW(PacedCopy{options}, Error);
  options.chunk_bytes = 1024;
  options.bytes_per_s = -1;
  EXPECT_THROW(PacedCopy{options}, Error);
  options.bytes_per_s = 0;
  PacedCopy paced(options);
  const Memory<std::byte> memory(64);
  EXPECT_THROW(paced.run(memory.data(), memory.data() + 32, 8, nullptr), Error);
  EXPECT_THROW(paced.run(memory.data() + 8, memory.data() + 32, 16, nullptr), Error);
}

}  // namespace
}  // namespace ringsim::cuda
