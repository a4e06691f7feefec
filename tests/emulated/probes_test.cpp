// The small kernels: random numbers, a plain copy, the SM's clock, the gate.

#include "kernels/cuda/probes.hpp"

#include "kernels/cuda/normal.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"
#include "tests/emulated/runtime.hpp"
#include "tests/emulated/support.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <set>

namespace ringsim::cuda {
namespace {

using tests::download;
using tests::finish;

class Probes : public ::testing::Test {
 protected:
  void SetUp() override { emulated::reset(); }
};

// Of n = 100,000 normal numbers the mean is within 5/√n = 0.016 of 0, the mean square within 5·√(2/n) = 0.022 of 1 (five standard
// deviations of each), and 68.27 % lie within ±1 (±0.7 %). Neighbours are uncorrelated: Σ x·x' / n within 5/√n.
TEST_F(Probes, NormalNumbers) {
  constexpr std::size_t count = 100'000;
  const Memory<std::uint16_t> memory(count);
  for (const std::uint64_t seed : {0U, 1U, 12345U}) {
    fill_normal(memory.data(), count, seed, nullptr);
    finish();
    double sum = 0;
    double squares = 0;
    double neighbours = 0;
    double previous = 0;
    double inside = 0;
    for (const std::uint16_t bits : download(memory.data(), count)) {
      const double x = to_float(Bf16{bits});
      sum += x;
      squares += x * x;
      neighbours += x * previous;
      inside += std::abs(x) < 1 ? 1 : 0;
      previous = x;
    }
    EXPECT_NEAR(sum / count, 0, 0.016) << seed;
    EXPECT_NEAR(squares / count, 1, 0.022) << seed;
    EXPECT_NEAR(neighbours / count, 0, 0.016) << seed;
    EXPECT_NEAR(inside / count, 0.6827, 0.007) << seed;
  }
}

// A function of seed and index: the same again, the beginning of a longer array, and another one for another seed.
TEST_F(Probes, NormalNumbersAreReproducible) {
  const auto numbers = [](std::size_t count, std::uint64_t seed) {
    const Memory<std::uint16_t> memory(count);
    fill_normal(memory.data(), count, seed, nullptr);
    finish();
    return download(memory.data(), count);
  };
  const std::vector<std::uint16_t> some = numbers(1000, 5);
  std::vector<std::uint16_t> more = numbers(5003, 5);
  for (std::size_t i = 0; i < more.size(); ++i) ASSERT_EQ(more[i], to_bf16(normal(5, i)).bits);
  more.resize(1000);
  EXPECT_EQ(some, more);
  EXPECT_NE(some, numbers(1000, 6));
}

// Every byte, from a word to more than the grid takes in a turn (2 SMs: 8 blocks of 512 threads with 4 words).
TEST_F(Probes, StreamCopy) {
  emulated::Settings settings;
  settings.sms = 2;
  emulated::reset(settings);
  for (const std::size_t words : {4U, 4000U, 200'004U}) {
    std::mt19937 random(static_cast<unsigned>(words));
    std::vector<std::uint32_t> sent(words);
    for (std::uint32_t& word : sent) word = static_cast<std::uint32_t>(random());
    const Memory<std::uint32_t> from = tests::upload(sent);
    const Memory<std::uint32_t> to(words);
    stream_copy(to.data(), from.data(), from.bytes(), nullptr);
    finish();
    EXPECT_TRUE(download(to.data(), words) == sent) << words;
  }
  EXPECT_EQ(emulated::broken_guards(), "");
  const Memory<std::byte> odd(24);
  EXPECT_THROW(stream_copy(odd.data(), odd.data(), 24, nullptr), Error);
}

// The emulated SM's clock is what the settings say. 20,000 cycles at 1.5 GHz last 13.3 µs; both readings are exact to a
// nanosecond and follow each other by one look at the timer.
TEST_F(Probes, Clock) {
  for (const double hz : {1.5e9, 1.98e9, 345e6}) {
    emulated::Settings settings;
    settings.sm_clock_hz = hz;
    emulated::reset(settings);
    ClockProbe probe;
    EXPECT_THROW(static_cast<void>(probe.sm_hz()), Error);  // nothing has been measured
    const Stream stream;
    probe.enqueue(stream.get());
    stream.synchronize();
    EXPECT_NEAR(probe.sm_hz() / hz, 1, 1e-3);
  }
}

TEST_F(Probes, EmptyKernel) {
  const Stream stream;
  empty_kernel(stream.get());
  EXPECT_EQ(emulated::pending(), 1U);
  stream.synchronize();
  EXPECT_EQ(emulated::pending(), 0U);
}

// Released before the device comes to it: what is behind it is executed, nothing timed out, and it took next to no time.
TEST_F(Probes, GateOpens) {
  const Stream stream;
  Gate gate;
  const Event begin;
  const Event end;
  begin.record(stream.get());
  gate.close(stream.get());
  end.record(stream.get());
  gate.release();
  stream.synchronize();
  EXPECT_FALSE(gate.timed_out());
  EXPECT_LT(seconds_between(begin, end), 10e-6);
}

// Never released: it gives up by itself after 5 ms, and says so. And a gate can be closed again after it was released.
TEST_F(Probes, GateGivesUp) {
  const Stream stream;
  Gate gate(5e-3);
  gate.close(stream.get());
  gate.release();
  stream.synchronize();
  ASSERT_FALSE(gate.timed_out());
  const Event begin;
  const Event end;
  begin.record(stream.get());
  gate.close(stream.get());
  end.record(stream.get());
  stream.synchronize();
  EXPECT_TRUE(gate.timed_out());
  EXPECT_NEAR(seconds_between(begin, end), 5e-3, 10e-6);
}

// What a probe or a gate keeps is given back.
TEST_F(Probes, LeaveNothingBehind) {
  {
    const Stream stream;
    ClockProbe probe;
    Gate gate;
    probe.enqueue(stream.get());
    gate.close(stream.get());
  }
  EXPECT_TRUE(emulated::alive().none());
}

}  // namespace
}  // namespace ringsim::cuda
