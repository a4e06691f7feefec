// What each of several changes brings of a difference, for functions whose answer is known by hand.
#include "sim/attribution.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

std::string nothing_in_the_way(Mix /*mix*/) { return {}; }

bool has(Mix mix, std::size_t change) { return (mix >> change & 1U) != 0; }

std::vector<JoinedChanges> singles(std::size_t changes, std::size_t in_every_order = most_in_every_order) {
  return joined_changes(changes, nothing_in_the_way, in_every_order);
}

double sum_of(const Attribution& a) {
  double sum = 0;
  for (const Contribution& part : a.parts) sum += part.value;
  return sum;
}

TEST(Attribution, OfASumIsItsTerms) {
  // f = 10 - 3 x0 + 2 x1 - 0.5 x2: every order finds the same, so each change brings its term, with no range.
  const auto f = [](Mix m) { return 10.0 - 3.0 * has(m, 0) + 2.0 * has(m, 1) - 0.5 * has(m, 2); };
  const Attribution a = attribute(singles(3), f);
  ASSERT_EQ(a.parts.size(), 3U);
  const double terms[] = {-3.0, 2.0, -0.5};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(a.parts[i].value, terms[i], 1e-15);
    EXPECT_EQ(a.parts[i].least, a.parts[i].most);
  }
  EXPECT_EQ(a.from, 10.0);
  EXPECT_EQ(a.to, 8.5);
}

TEST(Attribution, OfAMaximumIsSharedByThoseThatDecideIt) {
  // f = max(compute, transfer), compute 8 → 4 and transfer 6 → 2. Compute first brings 8 → 6 = -2, then transfer 6 → 4 = -2;
  // transfer first brings nothing, then compute 8 → 4 = -4. Means over the two orders: compute -3, transfer -1.
  const auto f = [](Mix m) { return std::max(has(m, 0) ? 4.0 : 8.0, has(m, 1) ? 2.0 : 6.0); };
  const Attribution a = attribute(singles(2), f);
  EXPECT_EQ(a.parts[0].value, -3.0);
  EXPECT_EQ(a.parts[0].least, -4.0);
  EXPECT_EQ(a.parts[0].most, -2.0);
  EXPECT_EQ(a.parts[1].value, -1.0);
  EXPECT_EQ(a.parts[1].least, -2.0);
  EXPECT_EQ(a.parts[1].most, 0.0);
}

TEST(Attribution, SumsToTheDifferenceToTheLastBit) {
  // Products of odd factors: every change depends on all others, and nothing is a round number.
  for (const std::size_t changes : {2U, 3U, 5U, 6U, 9U}) {
    const auto f = [&](Mix m) {
      double product = 0.1;
      for (std::size_t i = 0; i < changes; ++i)
        product *= has(m, i) ? std::sqrt(2.0 + static_cast<double>(i)) : 1.0 / 3.0;
      return product;
    };
    const Attribution a = attribute(singles(changes), f);
    EXPECT_EQ(sum_of(a), a.to - a.from) << changes;
    EXPECT_EQ(a.every_order, changes <= most_in_every_order);
  }
}

TEST(Attribution, OfManyChangesIsTheMeanOfTwoWalks) {
  // The maximum above, by walks: there, compute first, -2 and -2; back, compute undone first, from max(4, 2) to max(8, 2), +4, and
  // then transfer nothing. Means: compute -3, transfer -1.
  const auto f = [](Mix m) { return std::max(has(m, 0) ? 4.0 : 8.0, has(m, 1) ? 2.0 : 6.0); };
  const Attribution a = attribute(singles(2, 1), f, 1);
  EXPECT_FALSE(a.every_order);
  EXPECT_EQ(a.parts[0].value, -3.0);
  EXPECT_EQ(a.parts[1].value, -1.0);
  EXPECT_EQ(a.parts[1].least, -2.0);
  EXPECT_EQ(a.parts[1].most, 0.0);
}

TEST(JoinedChanges, GoTogetherWhereOneAloneIsIllegal) {
  // Changes 0 and 2 are degrees: 2 without 0 needs too many GPUs. 1 is free. So {0, 2} and {1} remain.
  const auto obstacle = [](Mix m) { return has(m, 2) && !has(m, 0) ? std::string("128 GPUs of 64") : std::string(); };
  const std::vector<JoinedChanges> parts = joined_changes(3, obstacle);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].changes, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(parts[0].why, "128 GPUs of 64");
  EXPECT_EQ(parts[1].changes, (std::vector<std::size_t>{1}));
  EXPECT_EQ(parts[1].why, "");
}

TEST(JoinedChanges, AreAllOnesWhereNoMixExists) {
  const std::vector<JoinedChanges> parts = joined_changes(4, [](Mix) { return std::string("no"); });
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(parts[0].changes, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(JoinedChanges, OfManyAreWalkedInAnOrderThatExists) {
  // Of three changes, by walks: 0 needs 2 made before it. The walk there must make 2 before 0; the walk back then undoes 2 before 0,
  // which leaves 0 without 2. So no order serves both walks, and 0 and 2 are joined; 1 comes first, as it goes by itself.
  const auto obstacle = [](Mix m) { return has(m, 0) && !has(m, 2) ? std::string("0 needs 2") : std::string(); };
  const std::vector<JoinedChanges> parts = joined_changes(3, obstacle, 1);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].changes, (std::vector<std::size_t>{1}));
  EXPECT_EQ(parts[1].changes, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(parts[1].why, "0 needs 2");
}

TEST(Attribution, AsksForEveryMixOnce) {
  // 2^3 mixes of three changes.
  std::size_t asked = 0;
  const Attribution a = attribute(singles(3), [&](Mix m) {
    ++asked;
    return static_cast<double>(m);
  });
  EXPECT_EQ(asked, 8U);
  EXPECT_EQ(a.to - a.from, 7.0);
}

}  // namespace
}  // namespace ringsim::sim
