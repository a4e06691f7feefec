// The work of every block pair of every layout against a count over tokens that shares no code with the library: it
// goes by the definitions of the layouts in words.
#include "models/layout.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ringsim {
namespace {

// Who owns a token. Contiguous: the first S mod N ranks take one token more than the others. Striped: dealt out like
// cards. Zigzag: 2N equal chunks, chunk c to rank c going up and then down again.
std::int64_t owner(Layout layout, std::int64_t token, std::int64_t tokens, std::int64_t ring) {
  if (layout == Layout::striped) return token % ring;
  if (layout == Layout::zigzag) {
    const std::int64_t chunk = token / (tokens / (2 * ring));
    return chunk < ring ? chunk : 2 * ring - 1 - chunk;
  }
  std::int64_t rank = 0;
  std::int64_t end = 0;
  for (;; ++rank) {
    end += tokens / ring + (rank < tokens % ring ? 1 : 0);
    if (token < end) return rank;
  }
}

bool sees(std::int64_t query, std::int64_t key, const Mask& mask) {
  if (mask.causal && key > query) return false;
  const std::int64_t distance = query > key ? query - key : key - query;
  return !mask.window || distance < *mask.window;
}

struct Counted {
  std::int64_t entries = 0;
  std::set<std::int64_t> queries;  // that see a key
  std::set<std::int64_t> keys;     // that are seen
};

std::vector<std::vector<std::int64_t>> tokens_of_ranks(Layout layout, std::int64_t tokens, std::int64_t ring) {
  std::vector<std::vector<std::int64_t>> of(static_cast<std::size_t>(ring));
  for (std::int64_t t = 0; t < tokens; ++t) of[static_cast<std::size_t>(owner(layout, t, tokens, ring))].push_back(t);
  return of;
}

Counted count(const std::vector<std::int64_t>& queries, const std::vector<std::int64_t>& keys, const Mask& mask) {
  Counted c;
  for (const std::int64_t q : queries) {
    for (const std::int64_t k : keys) {
      if (!sees(q, k, mask)) continue;
      ++c.entries;
      c.queries.insert(q);
      c.keys.insert(k);
    }
  }
  return c;
}

struct Case {
  Layout layout;
  std::int64_t tokens;
  std::int64_t ring;
  Mask mask;
  [[nodiscard]] std::string text() const {
    return std::string(name_of(layout)) + " S " + std::to_string(tokens) + " N " + std::to_string(ring) +
           (mask.causal ? " causal" : " full") + (mask.window ? " window " + std::to_string(*mask.window) : "");
  }
};

std::vector<Case> all_cases(bool windows) {
  std::vector<Case> cases;
  for (const Layout layout : {Layout::contiguous, Layout::striped, Layout::zigzag}) {
    for (std::int64_t ring = 1; ring <= 8; ++ring) {
      for (std::int64_t tokens = ring; tokens <= 4 * ring; ++tokens) {
        if (layout == Layout::zigzag && tokens % (2 * ring) != 0) continue;
        for (const bool causal : {false, true}) {
          if (!windows) {
            cases.push_back({layout, tokens, ring, {causal, std::nullopt}});
          } else {
            for (const std::int64_t w : {1, 2, 3, 5, 9}) cases.push_back({layout, tokens, ring, {causal, w}});
          }
        }
      }
    }
  }
  return cases;
}

TEST(Shards, RunsAreTheTokensThatALayoutGivesToARank) {
  for (const Case& c : all_cases(false)) {
    const Shards shards(c.layout, c.tokens, c.ring);
    const auto of = tokens_of_ranks(c.layout, c.tokens, c.ring);
    for (std::int64_t r = 0; r < c.ring; ++r) {
      std::vector<std::int64_t> listed;
      for (const TokenRun& run : shards.runs(r)) {
        for (std::int64_t i = 0; i < run.count; ++i) listed.push_back(run.first + i * run.stride);
      }
      ASSERT_EQ(listed, of[static_cast<std::size_t>(r)]) << c.text() << " rank " << r;
      ASSERT_EQ(shards.block(r), static_cast<std::int64_t>(listed.size())) << c.text() << " rank " << r;
      ASSERT_LE(shards.block(r), shards.largest_block());
    }
  }
}

TEST(Shards, EntriesOfEveryBlockPairAreExact) {
  for (const bool windows : {false, true}) {
    for (const Case& c : all_cases(windows)) {
      const Shards shards(c.layout, c.tokens, c.ring);
      const auto of = tokens_of_ranks(c.layout, c.tokens, c.ring);
      for (std::int64_t q = 0; q < c.ring; ++q) {
        for (std::int64_t k = 0; k < c.ring; ++k) {
          const Counted expected = count(of[static_cast<std::size_t>(q)], of[static_cast<std::size_t>(k)], c.mask);
          const AttendWork work = shards.work(q, k, c.mask);
          ASSERT_EQ(work.entries, expected.entries) << c.text() << " queries " << q << " keys " << k;
          ASSERT_EQ(work.masked(), expected.entries == 0);
          // Whatever the granularity of rows and columns is, they hold every pair.
          ASSERT_GE(work.rows, static_cast<std::int64_t>(expected.queries.size())) << c.text();
          ASSERT_GE(work.columns, static_cast<std::int64_t>(expected.keys.size())) << c.text();
          ASSERT_LE(work.rows, shards.block(q)) << c.text();
          ASSERT_LE(work.columns, shards.block(k)) << c.text();
          ASSERT_EQ(work.partial(), work.entries < work.rows * work.columns) << c.text();
        }
      }
    }
  }
}

// At step k the block of rank (r - k) mod N is at rank r. Over all N steps every allowed pair is computed exactly once,
// so the entries of all ranks and steps add up to all allowed pairs: S(S+1)/2 causal, S² without a mask.
TEST(Shards, StepsCoverEveryAllowedPairOnce) {
  for (const bool queries_travel : {false, true}) {
    for (const Case& c : all_cases(false)) {
      const Shards shards(c.layout, c.tokens, c.ring);
      std::int64_t total = 0;
      for (std::int64_t step = 0; step < c.ring; ++step) {
        for (const WorkSegment& s : shards.step_work(step, queries_travel, c.mask))
          total += s.work.entries * (s.end - s.begin);
      }
      ASSERT_EQ(total, c.mask.causal ? c.tokens * (c.tokens + 1) / 2 : c.tokens * c.tokens) << c.text();
    }
  }
}

TEST(Shards, StepWorkIsTheWorkOfEveryRankInMaximalRuns) {
  for (const bool windows : {false, true}) {
    for (const bool queries_travel : {false, true}) {
      for (const Case& c : all_cases(windows)) {
        const Shards shards(c.layout, c.tokens, c.ring);
        for (std::int64_t step = 0; step < c.ring; ++step) {
          const std::vector<WorkSegment> segments = shards.step_work(step, queries_travel, c.mask);
          std::int64_t next = 0;
          for (std::size_t i = 0; i < segments.size(); ++i) {
            const WorkSegment& s = segments[i];
            ASSERT_EQ(s.begin, next) << "no gap, no overlap: " << c.text() << " step " << step;
            ASSERT_LT(s.begin, s.end);
            ASSERT_TRUE(i == 0 || s.work != segments[i - 1].work)
                << "runs are maximal: " << c.text() << " step " << step;
            for (std::int64_t r = s.begin; r < s.end; ++r) {
              std::int64_t visitor = r - step;
              if (visitor < 0) visitor += c.ring;
              const AttendWork expected =
                  queries_travel ? shards.work(visitor, r, c.mask) : shards.work(r, visitor, c.mask);
              ASSERT_EQ(s.work, expected) << c.text() << " step " << step << " rank " << r;
            }
            next = s.end;
          }
          ASSERT_EQ(next, c.ring) << c.text();
        }
      }
    }
  }
}

// layout.hpp: rows are the queries that see at least one key of the block, columns the keys that at least one of them
// sees. A window is where it matters: of a block of 64 a window of 4 leaves the block behind it 3 queries and 3 keys.
TEST(Shards, RowsAndColumnsOfAWindowAreTheTokensThatTakePart) {
  const Mask mask{true, 4};
  const Shards shards(Layout::contiguous, 4 * 64, 4);
  const auto of = tokens_of_ranks(Layout::contiguous, 4 * 64, 4);
  for (std::int64_t q = 0; q < 4; ++q) {
    for (std::int64_t k = 0; k < 4; ++k) {
      const Counted expected = count(of[static_cast<std::size_t>(q)], of[static_cast<std::size_t>(k)], mask);
      const AttendWork work = shards.work(q, k, mask);
      EXPECT_EQ(work.rows, static_cast<std::int64_t>(expected.queries.size())) << "queries " << q << " keys " << k;
      EXPECT_EQ(work.columns, static_cast<std::int64_t>(expected.keys.size())) << "queries " << q << " keys " << k;
    }
  }
}

}  // namespace
}  // namespace ringsim
