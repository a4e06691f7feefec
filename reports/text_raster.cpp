#include "reports/text_raster.hpp"

#include "reports/trace_threads.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ringsim::reports {
namespace {

using sim::Span;
using sim::SpanKind;

constexpr std::size_t kinds = 5;

/// What happens in a column of a row, by kind.
struct Column {
  std::array<double, kinds> seconds{};
  std::array<const Span*, kinds> longest{};
  std::array<double, kinds> of_longest{};
  double in_flight_s = 0;
};

std::set<std::int64_t> shown_ranks(const sim::Timeline& timeline, std::int64_t most) {
  const std::int64_t ring = std::max<std::int64_t>(1, timeline.ranks);
  std::set<std::pair<std::int64_t, std::int64_t>> all;  // ring rank, rank: the same of all stages stand together
  for (const Span& span : timeline.spans) all.emplace(span.rank % ring, span.rank);
  std::set<std::int64_t> shown;
  for (const auto& [of_ring, rank] : all) {
    if (std::ssize(shown) < most) shown.insert(rank);
  }
  return shown;
}

double overlap(double from, double to, double start, double end) {
  return std::max(0.0, std::min(to, end) - std::max(from, start));
}

class Raster {
 public:
  Raster(double start_s, double column_s, std::size_t columns)
      : start_s_(start_s), column_s_(column_s), columns_(columns) {}

  void add(std::vector<Column>& row, const Span& span) const {
    const auto place = [&](double at) {
      const double column = (at - start_s_) / column_s_;
      return static_cast<std::size_t>(std::clamp(column, 0.0, static_cast<double>(columns_ - 1)));
    };
    const auto kind = static_cast<std::size_t>(span.kind);
    for (std::size_t c = place(span.start_s); c <= place(span.end_s); ++c) {
      const double from = start_s_ + static_cast<double>(c) * column_s_;
      const double seconds = overlap(from, from + column_s_, span.start_s, span.end_s);
      if (seconds <= 0) continue;
      Column& column = row[c];
      column.seconds[kind] += seconds;
      column.in_flight_s += overlap(from, from + column_s_, span.flight_start_s, span.flight_end_s);
      if (seconds <= column.of_longest[kind]) continue;
      column.of_longest[kind] = seconds;
      column.longest[kind] = &span;
    }
  }

  [[nodiscard]] std::vector<RasterCell> cells(const std::vector<Column>& row) const {
    std::vector<RasterCell> cells;
    for (const Column& column : row) {
      const auto most = std::max_element(column.seconds.begin(), column.seconds.end());
      double busy = 0;
      for (const double seconds : column.seconds) busy += seconds;
      RasterCell cell;
      if (*most > 0 && *most >= column_s_ - busy) {
        cell.span = column.longest[static_cast<std::size_t>(most - column.seconds.begin())];
        cell.begins = cells.empty() || cells.back().span != cell.span;
        cell.in_flight = 2 * column.in_flight_s >= *most;
      }
      cells.push_back(cell);
    }
    return cells;
  }

 private:
  double start_s_;
  double column_s_;
  std::size_t columns_;
};

}  // namespace

TextRaster text_raster(const sim::Timeline& timeline, std::size_t columns, std::int64_t ranks) {
  TextRaster result;
  const std::set<std::int64_t> shown = shown_ranks(timeline, ranks);
  std::set<std::int64_t> all;
  double start_s = std::numeric_limits<double>::infinity();
  double end_s = -start_s;
  for (const Span& span : timeline.spans) {
    all.insert(span.rank);
    if (!shown.contains(span.rank)) continue;
    start_s = std::min(start_s, span.start_s);
    end_s = std::max(end_s, span.end_s);
  }
  result.ranks_left_out = std::ssize(all) - std::ssize(shown);
  if (shown.empty() || columns == 0 || end_s <= start_s) return result;
  result.start_s = start_s;
  result.column_s = (end_s - start_s) / static_cast<double>(columns);

  const Raster raster(result.start_s, result.column_s, columns);
  const std::vector<int> threads = threads_of(timeline.spans);
  std::map<std::pair<std::int64_t, int>, std::vector<Column>> rows;
  std::int64_t operations = 0;
  for (std::size_t i = 0; i < timeline.spans.size(); ++i) {
    const Span& span = timeline.spans[i];
    if (!shown.contains(span.rank)) continue;
    ++operations;
    std::vector<Column>& row = rows[{span.rank, threads[i]}];
    row.resize(columns);
    raster.add(row, span);
  }
  std::set<const Span*> seen;
  for (const auto& [which, row] : rows) {
    result.rows.push_back({which.first, name_of_thread(which.second), raster.cells(row)});
    for (const RasterCell& cell : result.rows.back().cells) {
      if (cell.span != nullptr) seen.insert(cell.span);
    }
  }
  result.hidden = operations - std::ssize(seen);
  return result;
}

}  // namespace ringsim::reports
