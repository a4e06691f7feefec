// Blocks of random factors: the same bits from every instruction set that this machine has, and in all three ranges of the normal
// quantile, of which a run never sees the last.
#include "models/draw_block.hpp"

#include "models/jitter.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ringsim {
namespace {

using draw_block::Block;
using Factors = void (*)(const Jitter&, double, std::uint64_t, std::size_t, Block&);

void by_default(const Jitter& jitter, double deviation, std::uint64_t operation, std::size_t count, Block& out) {
  draw_block::factors(jitter, deviation, operation, 0, count, out);
}

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
__attribute__((target("arch=x86-64-v3"))) void by_avx2(const Jitter& jitter, double deviation, std::uint64_t operation,
                                                       std::size_t count, Block& out) {
  draw_block::factors(jitter, deviation, operation, 0, count, out);
}
__attribute__((target("arch=x86-64-v4"))) void by_avx512(const Jitter& jitter, double deviation,
                                                         std::uint64_t operation, std::size_t count, Block& out) {
  draw_block::factors(jitter, deviation, operation, 0, count, out);
}
std::vector<Factors> versions() {
  std::vector<Factors> all = {by_default};
  if (__builtin_cpu_supports("x86-64-v3") != 0) all.push_back(by_avx2);
  if (__builtin_cpu_supports("x86-64-v4") != 0) all.push_back(by_avx512);
  return all;
}
#else
std::vector<Factors> versions() { return {by_default}; }
#endif

TEST(DrawBlock, EveryInstructionSetDrawsTheSameBits) {
  // A stream's factor of one rank is the definition.
  for (const Distribution d : {Distribution::normal, Distribution::lognormal, Distribution::pareto}) {
    const Jitter jitter{d, 0.2, 3.0};
    const JitterStream s(jitter, 1, compute_stream, 0, 0);
    const double deviation = std::sqrt(elementary::log(1.0 + 0.2 * 0.2));
    const std::vector<Factors> all = versions();
    for (std::size_t v = 0; v < all.size(); ++v) {
      for (std::int64_t step = 0; step < 100; ++step) {
        const std::size_t count = 157 + static_cast<std::size_t>(step);
        const std::uint64_t operation = s.operation(0, step, 0, 0);
        Block out;
        all[v](jitter, deviation, operation, count, out);
        for (std::size_t r = 0; r < count; ++r) {
          ASSERT_EQ(out[r], s.factor(operation, static_cast<std::int64_t>(r))) << name_of(d) << ", version " << v;
        }
      }
    }
  }
}

TEST(DrawBlock, NormalsOfAllThreeRangesStandInTheirPlaces) {
  // Uniforms at the borders of the ranges (0.075 and e^-25, from either side) and at their ends, in every place of a block that is else
  // in the middle, and a block of nothing else. By the definition: the quantile of each.
  const std::vector<double> special = {0x1p-53,        1.0 - 0x1p-53,  1.3e-11, 1.4e-11, 1.0 - 1.3e-11, 1.0 - 1.4e-11,
                                       0x1.3333333p-4, 0x1.3333334p-4, 0.075,   0.925,   0.0751,        0.0749,
                                       0.9249,         0.9251,         1e-6,    0.999999};
  Block u;
  Block z;
  for (std::size_t at = 0; at < draw_block::block; ++at) {
    u.fill(0.4);
    for (std::size_t i = 0; i < 3; ++i) u[(at + 5 * i) % draw_block::block] = special[(at + i) % special.size()];
    draw_block::normals(u.data(), draw_block::block, z.data());
    for (std::size_t i = 0; i < draw_block::block; ++i) ASSERT_EQ(z[i], normal_quantile(u[i])) << u[i] << " at " << i;
  }
  for (std::size_t i = 0; i < draw_block::block; ++i) u[i] = special[i % special.size()];
  draw_block::normals(u.data(), draw_block::block, z.data());
  for (std::size_t i = 0; i < draw_block::block; ++i) ASSERT_EQ(z[i], normal_quantile(u[i])) << u[i];
}

}  // namespace
}  // namespace ringsim
