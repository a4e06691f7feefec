// Which way round is faster with a cached prefix, simulated: K/V or queries. Measured by others (Yang et al., arXiv 2411.01783, for 8
// K/V heads and 128 query heads): a tie at 5 % new tokens, K/V from 10 % on.

#include "tests/unit/studies/study.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringsim::studies {
namespace {

double seconds(std::int64_t fresh, const char* travels, const char* bandwidth) {
  const std::string text = fmt::format(
      "name: n\nmodel: llama3-405b\nworkload: {{phase: prefill, tokens: {}, cached: {}, scope: attention}}\n"
      "cluster: {{use: dgx-h100, nodes: 4, inter_node: {{bandwidth: {}}}}}\nparallel: {{tensor: 8, ring: 4}}\n"
      "ring: {{travels: {}}}\nprofile: h100-sxm\n",
      fresh, 128000 - fresh, bandwidth, travels);
  return sim::predict(scenarios::read_scenario_text(text, "test.yaml", "", {}), {}).prediction.makespan_s;
}

// By bytes, the all-to-all of the outputs included, queries are the lighter ones below T/(T + P) = 2GDe/(H(2De + 4)) = 2 · 128 · 2 /
// (16 · (2 · 128 · 2 + 4)) = 6.2 %. Over 3 GB/s transfers are nearly all of the time, and that is where the two cross.
TEST(PassChoice, OverASlowNetworkTheLighterOneIsFaster) {
  EXPECT_LT(seconds(1280, "q", "3 GB/s"), 0.5 * seconds(1280, "kv", "3 GB/s"));  // 1 %
  EXPECT_LT(seconds(7168, "q", "3 GB/s"), seconds(7168, "kv", "3 GB/s"));        // 5.6 %
  EXPECT_GT(seconds(8320, "q", "3 GB/s"), seconds(8320, "kv", "3 GB/s"));        // 6.5 %
}

// Over InfiniBand the hops hide more and more as there is more to compute, and the all-to-all does not: they cross earlier, near 5 %.
TEST(PassChoice, OverAFastNetworkTheyTieAtFivePercent) {
  EXPECT_LT(seconds(4160, "q", "50 GB/s"), 0.95 * seconds(4160, "kv", "50 GB/s"));         // 3.25 %
  EXPECT_NEAR(seconds(6400, "q", "50 GB/s") / seconds(6400, "kv", "50 GB/s"), 1.0, 0.03);  // 5 %
  EXPECT_GT(seconds(12800, "q", "50 GB/s"), 1.1 * seconds(12800, "kv", "50 GB/s"));        // 10 %
}

// `auto` takes the lighter one on both sides of 6.2 %.
TEST(PassChoice, AutomaticIsOneOfTheTwo) {
  EXPECT_EQ(seconds(1280, "auto", "3 GB/s"), seconds(1280, "q", "3 GB/s"));
  EXPECT_EQ(seconds(12800, "auto", "3 GB/s"), seconds(12800, "kv", "3 GB/s"));
}

}  // namespace
}  // namespace ringsim::studies
