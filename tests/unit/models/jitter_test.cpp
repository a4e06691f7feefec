// Random factors: that they have the distributions they claim, that every coordinate of a draw matters and nothing else does.
#include "models/jitter.hpp"

#include "models/counter_random.hpp"
#include "models/normal_quantile.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

namespace ringsim {
namespace {

constexpr std::int64_t many = 1'000'000;

JitterStream stream(Distribution distribution, double spread, double tail = 3.0) {
  return {{distribution, spread, tail}, 42, compute_stream, 0, 0};
}

// Many draws as a run makes them: a thousand steps of a thousand ranks.
std::vector<double> draws(const JitterStream& s) {
  std::vector<double> all(many);
  for (std::int64_t step = 0; step < 1000; ++step)
    s.factors(s.operation(0, step, 0, 0), 1000, &all[1000U * static_cast<std::size_t>(step)]);
  return all;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

double deviation(const std::vector<double>& values) {
  const double middle = mean(values);
  double sum = 0;
  for (const double v : values) sum += (v - middle) * (v - middle);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

// The share of draws below a quantile p is binomial: p up to √(p(1 − p)/n); four of these are left once in 16,000 times.
void expect_share_below(const std::vector<double>& values, double at, double p) {
  std::int64_t below = 0;
  for (const double v : values) below += v < at ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(below) / many, p, 4 * std::sqrt(p * (1 - p) / many)) << "quantile of " << p;
}

constexpr std::array shares = {0.001, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999, 0.99999};

TEST(Jitter, NormalFactorsHaveTheirMeanDeviationAndQuantiles) {
  const double spread = 0.1;
  const std::vector<double> f = draws(stream(Distribution::normal, spread));
  // Standard errors of n normal draws: σ/√n of the mean, σ/√(2n) of the deviation. The cut is 9.4 σ below the mean.
  EXPECT_NEAR(mean(f), 1.0, 4 * spread / std::sqrt(many));
  EXPECT_NEAR(deviation(f), spread, 4 * spread / std::sqrt(2.0 * many));
  for (const double p : shares) expect_share_below(f, 1 + spread * normal_quantile(p), p);
}

TEST(Jitter, NormalFactorsAreCutAtASixteenth) {
  // With σ = 1 everything below 1 + z = 1/16 is cut: Φ(−15/16) = 17.4 % of the draws are 1/16 exactly, and none is less.
  std::int64_t cut = 0;
  for (const double f : draws(stream(Distribution::normal, 1.0))) {
    ASSERT_GE(f, 0.0625);
    cut += f == 0.0625 ? 1 : 0;
  }
  const double p = 0.5 * std::erfc(0.9375 / std::sqrt(2.0));
  EXPECT_NEAR(static_cast<double>(cut) / many, p, 4 * std::sqrt(p * (1 - p) / many));
}

TEST(Jitter, LognormalFactorsHaveTheirMeanDeviationAndQuantiles) {
  const double spread = 0.5;
  const std::vector<double> f = draws(stream(Distribution::lognormal, spread));
  // The deviation's standard error is σ·√((κ − 1)/(4n)) with the kurtosis κ = w⁴ + 2w³ + 3w² − 3, w = 1 + σ².
  const double w = 1 + spread * spread;
  const double kurtosis = w * w * w * w + 2 * w * w * w + 3 * w * w - 3;
  EXPECT_NEAR(mean(f), 1.0, 4 * spread / std::sqrt(many));
  EXPECT_NEAR(deviation(f), spread, 4 * spread * std::sqrt((kurtosis - 1) / (4.0 * many)));
  const double s2 = std::log(w);
  for (const double p : shares) expect_share_below(f, std::exp(std::sqrt(s2) * normal_quantile(p) - s2 / 2), p);
}

TEST(Jitter, ParetoFactorsHaveTheirMeanAndQuantilesAndAreNeverFaster) {
  // The excess is Lomax of mean σ: its variance is σ²·a/(a − 2), its quantiles σ(a − 1)((1 − p)^(−1/a) − 1).
  for (const double tail : {2.5, 6.0}) {
    const double spread = 0.2;
    const std::vector<double> f = draws(stream(Distribution::pareto, spread, tail));
    for (const double v : f) ASSERT_GE(v, 1.0);
    EXPECT_NEAR(mean(f), 1 + spread, 4 * spread * std::sqrt(tail / (tail - 2) / many));
    for (const double p : shares) {
      expect_share_below(f, 1 + spread * (tail - 1) * (std::pow(1 - p, -1 / tail) - 1), p);
    }
  }
}

TEST(Jitter, DrawsOfNeighboursAreUncorrelated) {
  // The correlation of n independent pairs has standard error 1/√n. Neighbours: the next rank, step, layer, replica, ring and
  // seed, the other pass, another kind, the other stream.
  const Jitter jitter{Distribution::normal, 1.0 / 16};
  const JitterStream here(jitter, 1, compute_stream, 0, 0);
  const JitterStream replica(jitter, 1, compute_stream, 1, 0);
  const JitterStream ring(jitter, 1, compute_stream, 0, 1);
  const JitterStream seed(jitter, 2, compute_stream, 0, 0);
  const JitterStream links(jitter, 1, link_stream, 0, 0);
  std::array<double, 9> products{};
  for (std::int64_t step = 0; step < 100; ++step) {
    for (std::int64_t layer = 0; layer < 10; ++layer) {
      for (std::int64_t rank = 0; rank < 100; ++rank) {
        const auto of = [&](const JitterStream& s, std::int64_t l, std::int64_t k, std::int64_t pass, std::int64_t kind,
                            std::int64_t r) { return s.factor(s.operation(l, k, pass, kind), r) - 1.0; };
        const double own = of(here, layer, step, 0, 0, rank);
        const std::array other = {of(here, layer, step, 0, 0, rank + 1), of(here, layer, step + 1, 0, 0, rank),
                                  of(here, layer + 1, step, 0, 0, rank), of(replica, layer, step, 0, 0, rank),
                                  of(ring, layer, step, 0, 0, rank),     of(seed, layer, step, 0, 0, rank),
                                  of(here, layer, step, 1, 0, rank),     of(here, layer, step, 0, 1, rank),
                                  of(links, layer, step, 0, 0, rank)};
        for (std::size_t i = 0; i < other.size(); ++i) products[i] += own * other[i];
      }
    }
  }
  const double n = 100'000;
  for (const double product : products) EXPECT_LT(std::abs(product / n * 256), 4 / std::sqrt(n));
}

TEST(Jitter, EveryCoordinateMattersOnItsOwn) {
  // Small indices in different places must not add up to the same: (layer 1, step 2) is not (2, 1), nor is rank 1 of step 0
  // rank 0 of step 1. All draws of a small box of coordinates are different.
  std::vector<double> all;
  const Jitter jitter{Distribution::lognormal, 0.1};
  for (const std::uint64_t seed : {0U, 1U}) {
    for (const std::string_view name : {compute_stream, link_stream}) {
      for (std::int64_t replica = 0; replica < 3; ++replica) {
        for (std::int64_t ring = 0; ring < 3; ++ring) {
          const JitterStream s(jitter, seed, name, replica, ring);
          for (std::int64_t layer = 0; layer < 3; ++layer) {
            for (std::int64_t step = 0; step < 3; ++step) {
              for (std::int64_t pass = 0; pass < 2; ++pass) {
                for (std::int64_t kind = 0; kind < 4; ++kind) {
                  for (std::int64_t rank = 0; rank < 3; ++rank) {
                    all.push_back(s.factor(s.operation(layer, step, pass, kind), rank));
                  }
                }
              }
            }
          }
        }
      }
    }
  }
  const std::size_t count = all.size();
  ASSERT_EQ(count, 2U * 2 * 3 * 3 * 3 * 3 * 2 * 4 * 3);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  EXPECT_EQ(all.size(), count);
}

TEST(Jitter, ManyRanksAtOnceAreTheRanksOneByOneInAnyOrder) {
  // Bit for bit: block borders, the remainder of a block, draws from either tail, and a start in the middle.
  for (const Distribution d :
       {Distribution::none, Distribution::normal, Distribution::lognormal, Distribution::pareto}) {
    const JitterStream s = stream(d, 0.2);
    const std::uint64_t operation = s.operation(3, 5, 1, 2);
    const std::int64_t count = 1000;
    std::vector<double> batch(count);
    s.factors(operation, count, batch.data());
    for (std::int64_t r = count - 1; r >= 0; --r) {
      ASSERT_EQ(s.factor(operation, r), batch[static_cast<std::size_t>(r)]) << name_of(d) << ", rank " << r;
    }
    std::vector<double> part(77);
    s.factors(operation, 501, 77, part.data());
    EXPECT_TRUE(std::equal(part.begin(), part.end(), batch.begin() + 501));
  }
}

TEST(Jitter, AnyNumberOfRanksAtOnceIsTheRanksOneByOne) {
  // By the definition, bit for bit: whole blocks of 256 and what is left over of them, from any rank on, and not a value beyond. Times
  // that are stretched are what they were times the factor.
  for (const Distribution d : {Distribution::normal, Distribution::lognormal, Distribution::pareto}) {
    const JitterStream s = stream(d, 0.2);
    const std::uint64_t operation = s.operation(1, 2, 0, 0);
    for (std::int64_t count = 0; count <= 600; ++count) {
      const std::int64_t first = 7 * count;
      const auto n = static_cast<std::size_t>(count);
      std::vector<double> factors(n + 1, -1.0);
      std::vector<double> times(n + 1, 3.7);
      s.factors(operation, first, count, factors.data());
      s.stretch(operation, first, count, times.data());
      for (std::int64_t i = 0; i < count; ++i) {
        const double f = s.factor(operation, first + i);
        ASSERT_EQ(factors[static_cast<std::size_t>(i)], f) << name_of(d) << ", " << i << " of " << count;
        ASSERT_EQ(times[static_cast<std::size_t>(i)], 3.7 * f) << name_of(d) << ", " << i << " of " << count;
      }
      ASSERT_EQ(factors[n], -1.0);
      ASSERT_EQ(times[n], 3.7);
    }
  }
}

TEST(Jitter, StretchedTimesWithoutASpreadStay) {
  std::vector<double> times(5, 3.7);
  const JitterStream s = stream(Distribution::lognormal, 0.0);
  s.stretch(s.operation(0, 0, 0, 0), 0, 5, times.data());
  EXPECT_EQ(times, std::vector<double>(5, 3.7));
}

TEST(Jitter, WithoutADistributionOrASpreadNothingIsDrawn) {
  EXPECT_FALSE(JitterStream().on());
  EXPECT_FALSE(stream(Distribution::none, 0.5).on());
  EXPECT_FALSE(stream(Distribution::normal, 0.0).on());
  EXPECT_TRUE(stream(Distribution::pareto, 0.1).on());
  for (const JitterStream& s : {JitterStream(), stream(Distribution::lognormal, 0.0)}) {
    EXPECT_EQ(s.factor(s.operation(1, 2, 0, 0), 3), 1.0);
  }
}

TEST(CounterRandom, IsSplitMix64) {
  // The reference implementation's first outputs for the seed 1234567.
  EXPECT_EQ(counter_random::bits(1234567, 0), 6457827717110365317U);
  EXPECT_EQ(counter_random::bits(1234567, 1), 3203168211198807973U);
  EXPECT_EQ(counter_random::bits(1234567, 2), 9817491932198370423U);
}

TEST(CounterRandom, UniformsNeverReachTheirEnds) {
  // The least and the greatest are half a step of 2^-52 away from 0 and from 1, and both are exact.
  EXPECT_EQ(counter_random::uniform(0), 0x1p-53);
  EXPECT_EQ(counter_random::uniform(~std::uint64_t{0}), 1.0 - 0x1p-53);
  EXPECT_EQ(counter_random::uniform(std::uint64_t{1} << 63U), 0.5 + 0x1p-53);
}

// Pinned: results that people have must not change with a version. The values were computed apart from this code, the hash in
// integers of any length and the distributions in 60 decimal digits (Python, mpmath), from the formulas in the headers alone.
TEST(Jitter, TheFirstDrawsArePinned) {
  const JitterStream s = stream(Distribution::normal, 0.1);
  const std::uint64_t operation = s.operation(0, 0, 0, 0);
  EXPECT_EQ(operation, 0xdbd231033dac6cc7U);
  const auto expect = [](const JitterStream& of, std::uint64_t at, std::int64_t rank, double value) {
    EXPECT_NEAR(of.factor(at, rank), value, 1e-15) << rank;
  };
  expect(s, operation, 0, 1.0879301572083409);
  expect(s, operation, 1, 0.9678409862823911);
  expect(s, operation, 2, 1.0019824867593992);
  expect(stream(Distribution::lognormal, 0.1), operation, 0, 1.086255378642155);
  expect(stream(Distribution::lognormal, 0.1), operation, 1, 0.9636238918469366);
  expect(stream(Distribution::lognormal, 0.1), operation, 2, 0.9970068801243631);
  expect(stream(Distribution::pareto, 0.1), operation, 0, 1.1481257335077126);
  expect(stream(Distribution::pareto, 0.1), operation, 1, 1.0337820568658425);
  expect(stream(Distribution::pareto, 0.1), operation, 2, 1.0533269315440326);

  const JitterStream links({Distribution::pareto, 0.3, 2.5}, 7, link_stream, 3, 2);
  const std::uint64_t far = links.operation(5, 6, 1, 2);
  EXPECT_EQ(far, 0x14aea58d41a2a61eU);
  expect(links, far, 0, 1.24021181123323);
  expect(links, far, 100, 1.2932592849841098);
}

}  // namespace
}  // namespace ringsim
