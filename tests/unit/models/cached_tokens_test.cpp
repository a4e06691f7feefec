// Keys of cached tokens and of halves of blocks, against a count over tokens that goes by the definitions in words: cached
// tokens stand before the new ones, are dealt out by the same layout and have no queries.
#include "models/error.hpp"
#include "models/layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace ringsim {
namespace {

using Tokens = std::vector<std::int64_t>;

// Tokens of a sequence that belong to a rank, in the order of its block.
Tokens dealt(Layout layout, std::int64_t tokens, std::int64_t ring, std::int64_t rank) {
  Tokens own;
  std::int64_t before = 0;  // contiguous: the first tokens mod ring ranks take one more
  for (std::int64_t r = 0; r < rank; ++r) before += tokens / ring + (r < tokens % ring ? 1 : 0);
  const std::int64_t count = tokens / ring + (rank < tokens % ring ? 1 : 0);
  for (std::int64_t t = 0; t < tokens; ++t) {
    const bool zigzag =
        layout == Layout::zigzag && std::min(t * 2 * ring / tokens, 2 * ring - 1 - t * 2 * ring / tokens) == rank;
    const bool striped = layout == Layout::striped && t % ring == rank;
    const bool contiguous = layout == Layout::contiguous && t >= before && t < before + count;
    if (zigzag || striped || contiguous) own.push_back(t);
  }
  return own;
}

// Zigzag's two chunks are as long as each other; elsewhere an odd token goes to the first half. So both split alike.
Tokens half_of(const Tokens& tokens, Half half) {
  const auto middle = tokens.begin() + (std::ssize(tokens) + 1) / 2;
  if (half == Half::first) return {tokens.begin(), middle};
  return half == Half::second ? Tokens{middle, tokens.end()} : tokens;
}

struct Counted {
  std::int64_t entries = 0;
  std::set<std::int64_t> queries, keys;
};

Counted count(const Tokens& queries, const Tokens& keys, const Mask& mask) {
  Counted c;
  for (const std::int64_t q : queries) {
    for (const std::int64_t k : keys) {
      if (mask.causal && k > q) continue;
      if (mask.window && std::max(q - k, k - q) >= *mask.window) continue;
      ++c.entries;
      c.queries.insert(q);
      c.keys.insert(k);
    }
  }
  return c;
}

template <class Visit>
void for_each_case(const Visit& visit) {
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (const std::int64_t ring : {1, 2, 3, 4}) {
      for (const std::int64_t cached : {0, 1, 7, 12}) {
        for (const std::int64_t tokens : {1, 2, 3, 4}) {
          const bool zigzag = layout == Layout::zigzag;
          const Shards shards(layout, zigzag ? 2 * ring * tokens : ring * tokens + tokens % ring, ring,
                              zigzag ? cached / 2 * 2 * ring : cached);
          for (const Mask& mask : {Mask{false, {}}, Mask{true, {}}, Mask{true, 5}, Mask{false, 4}}) visit(shards, mask);
        }
      }
    }
  }
}

Tokens queries_of(const Shards& s, std::int64_t rank) {
  Tokens own = dealt(s.layout(), s.tokens(), s.ring(), rank);
  for (std::int64_t& t : own) t += s.cached();
  return own;
}

Tokens keys_of(const Shards& s, std::int64_t rank, Half half) {
  Tokens keys = half_of(dealt(s.layout(), s.cached(), s.ring(), rank), half);
  const Tokens own = half_of(queries_of(s, rank), half);
  keys.insert(keys.end(), own.begin(), own.end());
  return keys;
}

TEST(CachedTokens, EntriesOfEveryBlockPairAndHalfAreExact) {
  for_each_case([](const Shards& s, const Mask& mask) {
    for (std::int64_t q = 0; q < s.ring(); ++q) {
      for (std::int64_t k = 0; k < s.ring(); ++k) {
        for (const Half half : {Half::whole, Half::first, Half::second}) {
          const Tokens keys = keys_of(s, k, half);
          const Counted expected = count(queries_of(s, q), keys, mask);
          const AttendWork work = s.work(q, k, mask, half);
          ASSERT_EQ(s.keys_of(k, half), std::ssize(keys));
          ASSERT_LE(s.keys_of(k, half), s.largest_keys(half));
          ASSERT_EQ(work.entries, expected.entries)
              << name_of(s.layout()) << " of " << s.tokens() << " + " << s.cached();
          ASSERT_GE(work.rows, std::ssize(expected.queries));
          ASSERT_GE(work.columns, std::ssize(expected.keys));
          ASSERT_LE(work.rows, s.block(q));
          ASSERT_LE(work.columns, std::ssize(keys));
        }
      }
    }
  });
}

TEST(CachedTokens, OfAKernelAgainstAllKeysColumnsAreThoseThatAreSeen) {
  for_each_case([](const Shards& s, const Mask& mask) {
    Tokens all;
    for (std::int64_t r = 0; r < s.ring(); ++r) {
      const Tokens keys = keys_of(s, r, Half::whole);
      all.insert(all.end(), keys.begin(), keys.end());
    }
    ASSERT_EQ(std::set(all.begin(), all.end()).size(), static_cast<std::size_t>(s.cached() + s.tokens()));
    for (std::int64_t q = 0; q < s.ring(); ++q) {
      const Counted expected = count(queries_of(s, q), all, mask);
      const AttendWork work = s.work_on_all(q, mask);
      ASSERT_EQ(work.entries, expected.entries);
      ASSERT_EQ(work.rows, std::ssize(expected.queries));
      // All but a window's gap between zigzag's two chunks, which one rectangle spans.
      ASSERT_GE(work.columns, std::ssize(expected.keys));
      if (mask.window) continue;
      ASSERT_EQ(work.columns, std::ssize(expected.keys)) << name_of(s.layout());
    }
  });
}

TEST(CachedTokens, StepWorkIsTheWorkOfEveryRank) {
  for_each_case([](const Shards& s, const Mask& mask) {
    for (const bool queries_travel : {false, true}) {
      for (std::int64_t step = 0; step < s.ring(); ++step) {
        for (const WorkSegment& segment : s.step_work(step, queries_travel, mask)) {
          for (std::int64_t r = segment.begin; r < segment.end; ++r) {
            const std::int64_t other = (r - step + s.ring()) % s.ring();
            ASSERT_EQ(segment.work, queries_travel ? s.work(other, r, mask) : s.work(r, other, mask));
          }
        }
      }
    }
  });
}

TEST(CachedTokens, AreDealtOutAsTheLayoutAllows) {
  // Zigzag on 4 ranks has chunks of an eighth: 12 cached tokens have none.
  try {
    static_cast<void>(Shards(Layout::zigzag, 16, 4, 12));
    FAIL() << "12 cached tokens in eight chunks";
  } catch (const Error& e) {
    EXPECT_EQ(e.where(), "workload.cached");
  }
  // Striped, 3 cached tokens leave rank 3 of 4 without one: blocks of 4 keys, and of 3.
  const Shards shards(Layout::striped, 12, 4, 3);
  EXPECT_FALSE(shards.even());
  EXPECT_EQ(shards.keys_of(2), 4);
  EXPECT_EQ(shards.keys_of(3), 3);
}

}  // namespace
}  // namespace ringsim
