#include "models/layout.hpp"

#include "models/error.hpp"
#include "models/work_segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace ringsim {
namespace {

constexpr std::int64_t largest_sequence = std::int64_t{1} << 31;  // entries of a block pair must fit in 63 bits

Part part_of(bool first, bool second) {
  if (first == second) return Part::whole;
  return first ? Part::early : Part::late;
}

void extend(RowRange& range, const RowRange& by) {
  range = range.last < range.first ? by : RowRange{std::min(range.first, by.first), std::max(range.last, by.last)};
}

}  // namespace

Shards::Shards(Layout layout, std::int64_t tokens, std::int64_t ring, std::int64_t cached)
    : layout_(layout), tokens_(tokens), ring_(ring), cached_(cached) {
  if (ring < 1) throw Error(fmt::format("a ring of {} ranks", ring), "parallel.ring", "at least 1");
  if (tokens > largest_sequence) {
    throw Error(fmt::format("{} tokens are more than this program counts", tokens), "workload.tokens",
                "at most 2147483648 (2Gi)");
  }
  if (cached < 0 || cached > largest_sequence - tokens) {
    throw Error(fmt::format("{} cached tokens before {} others", cached, tokens), "workload.cached",
                "0 or more, and at most 2147483648 (2Gi) tokens in all");
  }
  if (tokens < ring) {
    throw Error(fmt::format("{} tokens cannot be spread over a ring of {} ranks", tokens, ring), "workload.tokens",
                "at least one token a rank");
  }
  if (layout == Layout::zigzag && ring > 1) {  // a ring of one has nothing to balance
    const std::int64_t unit = 2 * ring;
    const auto check = [unit, ring](std::int64_t count, const char* what, const char* where) {
      if (count % unit == 0) return;
      const std::int64_t below = count / unit * unit;
      const std::string legal = below > 0 ? fmt::format("{} or {}", below, below + unit) : fmt::format("{}", unit);
      throw Error(
          fmt::format("zigzag on a ring of {} needs {} divisible by 2 x ring = {}, not {}", ring, what, unit, count),
          where, fmt::format("{} tokens; or layout striped or contiguous, which allow uneven shards", legal));
    };
    check(tokens, "tokens", "workload.tokens");
    check(cached, "cached tokens", "workload.cached");
  }
}

// A rank's runs of `tokens` tokens that start at position 0.
std::array<TokenRun, 2> Shards::spread(std::int64_t tokens, std::int64_t rank) const {
  const std::int64_t base = tokens / ring_;
  const std::int64_t longer = tokens % ring_;
  const std::int64_t own = base + (rank < longer ? 1 : 0);
  if (ring_ == 1) return {{{0, own, 1}, {}}};
  switch (layout_) {
    case Layout::contiguous:
      return {{{rank * base + std::min(rank, longer), own, 1}, {}}};
    case Layout::striped:
      return {{{rank, own, ring_}, {}}};
    case Layout::zigzag:
      break;
  }
  const std::int64_t chunk = tokens / (2 * ring_);
  return {{{rank * chunk, chunk, 1}, {(2 * ring_ - 1 - rank) * chunk, chunk, 1}}};
}

std::array<TokenRun, 2> Shards::two_runs(std::int64_t rank) const {
  std::array<TokenRun, 2> both = spread(tokens_, rank);
  for (TokenRun& run : both) run.first += run.count > 0 ? cached_ : 0;
  return both;
}

std::vector<TokenRun> Shards::runs(std::int64_t rank) const {
  const std::array<TokenRun, 2> both = two_runs(rank);
  if (in_two_chunks()) return {both[0], both[1]};
  return {both[0]};
}

std::array<TokenRun, 4> Shards::key_runs(std::int64_t rank, Half half) const {
  const std::array<TokenRun, 2> before = spread(cached_, rank);
  const std::array<TokenRun, 2> own = two_runs(rank);
  std::array<TokenRun, 4> all = {before[0], before[1], own[0], own[1]};
  if (half == Half::whole) return all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    TokenRun& run = all[i];
    if (in_two_chunks()) {
      if ((i % 2 == 0) != (half == Half::first)) run = {};
      continue;
    }
    const std::int64_t first = (run.count + 1) / 2;
    run = half == Half::first ? TokenRun{run.first, first, run.stride}
                              : TokenRun{run.first + first * run.stride, run.count - first, run.stride};
  }
  return all;
}

std::int64_t Shards::keys_of(std::int64_t rank, Half half) const {
  std::int64_t keys = 0;
  for (const TokenRun& run : key_runs(rank, half)) keys += run.count;
  return keys;
}

namespace {

// A kernel of a rank's queries, put together from pairs of runs.
class Rectangle {
 public:
  explicit Rectangle(const Mask& mask) : mask_(mask) {}

  // The columns of one run of keys; false where none takes part. `trims`: keys behind all queries are left out.
  bool add(const std::array<TokenRun, 2>& queries, const TokenRun& keys, bool trims = false) {
    RowRange columns;
    for (std::size_t q = 0; q < 2; ++q) {
      if (queries[q].count == 0 || keys.count == 0) continue;
      const Band band = band_of(queries[q], keys, mask_);
      const std::int64_t area = band_area(queries[q].count, keys.count, band.low, band.high);
      if (area == 0) continue;
      work_.entries += area;
      // A causal edge cuts the rectangle's corner off; only a window makes it smaller.
      const std::int64_t low = mask_.causal ? -keys.count : band.low;
      const std::int64_t high = mask_.window ? band.high : queries[q].count;
      extend(rows_[q], band_rows(queries[q].count, keys.count, low, high));
      extend(columns, band_rows(keys.count, queries[q].count, -high, trims ? -band.low : -low));
      cut_below_ = cut_below_ || band.low > -(keys.count - 1);
      cut_above_ = cut_above_ || band.high < queries[q].count - 1;
    }
    work_.columns += length(columns);
    return length(columns) > 0;
  }

  [[nodiscard]] AttendWork work() const {
    AttendWork work = work_;
    for (const RowRange& range : rows_) work.rows += length(range);
    work.edges = (cut_below_ ? 1 : 0) + (cut_above_ ? 1 : 0);
    return work;
  }
  [[nodiscard]] bool uses_queries(std::size_t run) const { return length(rows_[run]) > 0; }

 private:
  static std::int64_t length(const RowRange& range) { return range.last - range.first + 1; }

  Mask mask_;
  AttendWork work_;
  std::array<RowRange, 2> rows_{};
  bool cut_below_ = false;
  bool cut_above_ = false;
};

}  // namespace

AttendWork Shards::work(std::int64_t query_rank, std::int64_t key_rank, const Mask& mask, Half half) const {
  const std::array<TokenRun, 2> queries = two_runs(query_rank);
  const std::array<TokenRun, 4> keys = key_runs(key_rank, half);
  Rectangle rectangle(mask);
  std::array<bool, 4> used{};
  for (std::size_t k = cached_ > 0 ? 0 : 2; k < keys.size(); ++k) used[k] = rectangle.add(queries, keys[k]);
  AttendWork work = rectangle.work();
  if (in_two_chunks() && work.entries > 0) {
    work.query_part = part_of(rectangle.uses_queries(0), rectangle.uses_queries(1));
    if (half == Half::whole) work.key_part = part_of(used[2], used[3]);
  }
  return work;
}

AttendWork Shards::work_on_all(std::int64_t query_rank, const Mask& mask) const {
  const std::array<TokenRun, 2> queries = two_runs(query_rank);
  // All keys are one run, cut into runs of the queries' stride.
  const std::int64_t stride = queries[0].stride;
  const std::int64_t keys = cached_ + tokens_;
  Rectangle rectangle(mask);
  for (std::int64_t first = 0; first < stride; ++first) {
    rectangle.add(queries, {first, (keys - first + stride - 1) / stride, stride}, true);
  }
  return rectangle.work();
}

std::vector<WorkSegment> Shards::step_work(std::int64_t step, bool queries_travel, const Mask& mask, Half half) const {
  const std::int64_t shift = step % ring_;
  const auto work_of = [&](std::int64_t rank) {
    const std::int64_t travelling = (rank - shift + ring_) % ring_;
    return queries_travel ? work(travelling, rank, mask, half) : work(rank, travelling, mask, half);
  };
  // Without a window a block pair's work depends on three facts alone: which of the two sizes each block has, and
  // whether the travelling block lies before or after the resident one. So it can change at four ranks only (six where
  // cached tokens have sizes of their own). A window makes it depend on the distance too, and every rank is looked at.
  if (mask.window) return segments_of(all_ranks(ring_), ring_, work_of);
  const std::int64_t cached_remainder = cached_ % ring_;
  return segments_of(
      {0, shift, remainder(), (shift + remainder()) % ring_, cached_remainder, (shift + cached_remainder) % ring_},
      ring_, work_of);
}

}  // namespace ringsim
