// The keys of `noise`.
#include "tests/unit/scenarios/support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using ::testing::HasSubstr;
using testing::read_text;
using testing::small_scenario;

TEST(Noise, IsReadWhole) {
  const Scenario s = read_text(
      small_scenario("noise:\n"
                     "  compute: {lognormal: 2%}\n"
                     "  links: {pareto: 5%, tail: 2.5}\n"
                     "  slow_links: [{link: node0.gpu1.out, bandwidth: 50%, from: 10 ms}]\n"
                     "  failures: [{gpu: 3, at: 1 s}, {link: node0.gpu1.out, at: 2 s}]\n"
                     "  background: [{from: 0, to: 1, rate: 20 GB/s, start: 1 ms, end: 2 ms}, {from: 1, to: 2}]\n"));
  const Noise& n = s.noise;
  EXPECT_EQ(n.compute, (Jitter{Distribution::lognormal, 0.02, 3.0}));
  EXPECT_EQ(n.links, (Jitter{Distribution::pareto, 0.05, 2.5}));
  ASSERT_EQ(n.slow_links.size(), 1U);
  EXPECT_EQ(n.slow_links[0], (SlowLink{"node0.gpu1.out", 0.5, seconds(0.01)}));
  ASSERT_EQ(n.failures.size(), 2U);
  EXPECT_EQ(n.failures[0], (Failure{"", 3, seconds(1)}));
  EXPECT_EQ(n.failures[1], (Failure{"node0.gpu1.out", std::nullopt, seconds(2)}));
  ASSERT_EQ(n.background.size(), 2U);
  EXPECT_EQ(n.background[0], (BackgroundFlow{0, 1, gigabytes_per_second(20), seconds(0.001), seconds(0.002)}));
  EXPECT_EQ(n.background[1], (BackgroundFlow{1, 2, std::nullopt, Duration{}, std::nullopt}));
}

TEST(Noise, IsNoneByDefault) { EXPECT_EQ(read_text(small_scenario()).noise, Noise{}); }

TEST(Noise, WhatMakesNoSenseIsRefused) {
  const auto message = [](const std::string& noise) {
    const auto error = error_of([&] { static_cast<void>(read_text(small_scenario(), {"noise=" + noise})); });
    EXPECT_FALSE(error && error->where().empty()) << noise;
    return error ? error->message() : std::string();
  };
  EXPECT_THAT(message("{compute: {}}"), HasSubstr("has none of normal, lognormal, pareto"));
  EXPECT_THAT(message("{compute: {normal: 2%, lognormal: 2%}}"), HasSubstr("stand here together"));
  EXPECT_THAT(message("{compute: {lognormal: 2%, tail: 3}}"), HasSubstr("only pareto has a tail"));
  EXPECT_THAT(message("{compute: {pareto: 2%, tail: 1}}"), HasSubstr("too small"));
  EXPECT_THAT(message("{compute: {normal: 200%}}"), HasSubstr("too large"));
  EXPECT_THAT(message("{compute: {gaussian: 2%}}"), HasSubstr("called normal"));
  EXPECT_THAT(message("{slow_links: [{link: node0.gpu1.out, bandwidth: 0%}]}"), HasSubstr("too small"));
  EXPECT_THAT(message("{slow_links: [{link: node0.gpu1.out, bandwidth: 50%}, {link: node0.gpu1.out, bandwidth: 40%}]}"),
              HasSubstr("a second time"));
  EXPECT_THAT(message("{failures: [{at: 1 s}]}"), HasSubstr("has none of link, gpu"));
  EXPECT_THAT(message("{failures: [{gpu: 1, link: node0.gpu1.out, at: 1 s}]}"), HasSubstr("stand here together"));
  EXPECT_THAT(message("{failures: [{gpu: 8, at: 1 s}]}"), HasSubstr("no GPU 8"));
  EXPECT_THAT(message("{background: [{from: 0, to: 8}]}"), HasSubstr("no GPU 8"));
  EXPECT_THAT(message("{background: [{from: 2, to: 2}]}"), HasSubstr("sends to itself"));
  EXPECT_THAT(message("{background: [{from: 0, to: 1, start: 2 s, end: 1 s}]}"), HasSubstr("ends before it starts"));
}

}  // namespace
}  // namespace ringsim::scenarios
