#include "models/layout.hpp"

#include "models/error.hpp"

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

Shards::Shards(Layout layout, std::int64_t tokens, std::int64_t ring) : layout_(layout), tokens_(tokens), ring_(ring) {
  if (ring < 1) throw Error(fmt::format("a ring of {} ranks", ring), "parallel.ring", "at least 1");
  if (tokens > largest_sequence) {
    throw Error(fmt::format("{} tokens are more than this program counts", tokens), "workload.tokens",
                "at most 2147483648 (2Gi)");
  }
  if (tokens < ring) {
    throw Error(fmt::format("{} tokens cannot be spread over a ring of {} ranks", tokens, ring), "workload.tokens",
                "at least one token a rank");
  }
  if (layout == Layout::zigzag && tokens % (2 * ring) != 0) {
    const std::int64_t unit = 2 * ring;
    const std::int64_t below = tokens / unit * unit;
    const std::string legal = below > 0 ? fmt::format("{} or {}", below, below + unit) : fmt::format("{}", unit);
    throw Error(
        fmt::format("zigzag on a ring of {} needs tokens divisible by 2 x ring = {}, not {}", ring, unit, tokens),
        "workload.tokens", fmt::format("{} tokens; or layout striped or contiguous, which allow uneven shards", legal));
  }
}

std::array<TokenRun, 2> Shards::two_runs(std::int64_t rank) const {
  switch (layout_) {
    case Layout::contiguous: {
      const std::int64_t base = tokens_ / ring_;
      return {{{rank * base + std::min(rank, remainder()), block(rank), 1}, {}}};
    }
    case Layout::striped:
      return {{{rank, block(rank), ring_}, {}}};
    case Layout::zigzag:
      break;
  }
  const std::int64_t chunk = tokens_ / (2 * ring_);
  return {{{rank * chunk, chunk, 1}, {(2 * ring_ - 1 - rank) * chunk, chunk, 1}}};
}

std::vector<TokenRun> Shards::runs(std::int64_t rank) const {
  const std::array<TokenRun, 2> both = two_runs(rank);
  if (layout_ == Layout::zigzag) return {both[0], both[1]};
  return {both[0]};
}

AttendWork Shards::work(std::int64_t query_rank, std::int64_t key_rank, const Mask& mask) const {
  const std::array<TokenRun, 2> queries = two_runs(query_rank);
  const std::array<TokenRun, 2> keys = two_runs(key_rank);
  std::array<RowRange, 2> query_range{};
  std::array<RowRange, 2> key_range{};
  bool cut_below = false;
  bool cut_above = false;
  AttendWork work;
  for (std::size_t q = 0; q < 2; ++q) {
    for (std::size_t k = 0; k < 2; ++k) {
      if (queries[q].count == 0 || keys[k].count == 0) continue;
      const Band band = band_of(queries[q], keys[k], mask);
      const std::int64_t area = band_area(queries[q].count, keys[k].count, band.low, band.high);
      if (area == 0) continue;
      work.entries += area;
      // A causal edge cuts the rectangle's corner off; only a window makes it smaller.
      const std::int64_t low = mask.causal ? -keys[k].count : band.low;
      const std::int64_t high = mask.window ? band.high : queries[q].count;
      extend(query_range[q], band_rows(queries[q].count, keys[k].count, low, high));
      extend(key_range[k], band_rows(keys[k].count, queries[q].count, -high, -low));
      cut_below = cut_below || band.low > -(keys[k].count - 1);
      cut_above = cut_above || band.high < queries[q].count - 1;
    }
  }
  for (const RowRange& range : query_range) work.rows += range.last - range.first + 1;
  for (const RowRange& range : key_range) work.columns += range.last - range.first + 1;
  work.edges = (cut_below ? 1 : 0) + (cut_above ? 1 : 0);
  const auto used = [](const RowRange& range) { return range.last >= range.first; };
  if (layout_ == Layout::zigzag && work.entries > 0) {
    work.query_part = part_of(used(query_range[0]), used(query_range[1]));
    work.key_part = part_of(used(key_range[0]), used(key_range[1]));
  }
  return work;
}

std::vector<WorkSegment> Shards::step_work(std::int64_t step, bool queries_travel, const Mask& mask) const {
  const std::int64_t shift = step % ring_;
  const auto work_of = [&](std::int64_t rank) {
    const std::int64_t travelling = (rank - shift + ring_) % ring_;
    return queries_travel ? work(travelling, rank, mask) : work(rank, travelling, mask);
  };
  // Without a window a block pair's work depends on three facts alone: which of the two sizes each block has, and
  // whether the travelling block lies before or after the resident one. So it can change at four ranks only. A window
  // makes it depend on the distance too, and every rank is looked at.
  std::vector<std::int64_t> starts;
  if (mask.window) {
    starts.resize(static_cast<std::size_t>(ring_));
    for (std::int64_t r = 0; r < ring_; ++r) starts[static_cast<std::size_t>(r)] = r;
  } else {
    starts = {0, shift, remainder(), (shift + remainder()) % ring_};
    std::sort(starts.begin(), starts.end());
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
  }
  std::vector<WorkSegment> segments;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t end = i + 1 < starts.size() ? starts[i + 1] : ring_;
    const AttendWork work = work_of(starts[i]);
    if (!segments.empty() && segments.back().work == work) {
      segments.back().end = end;
    } else {
      segments.push_back({starts[i], end, work});
    }
  }
  return segments;
}

}  // namespace ringsim
