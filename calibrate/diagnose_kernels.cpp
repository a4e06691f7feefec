#include "calibrate/diagnose_kernels.hpp"

#include "calibrate/statistics.hpp"
#include "models/layout.hpp"
#include "models/plan.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::calibrate {
namespace {

constexpr std::size_t enough = 3;     // kernels for a median that one disturbance does not move
constexpr double beside_share = 0.9;  // of a kernel's time
constexpr double alone_share = 0.1;

using Interval = std::pair<double, double>;

/// Hops to and from every rank in flight, as intervals that do not overlap, in ascending order.
std::vector<std::vector<Interval>> flights_of(const Measurement& m) {
  std::vector<std::vector<Interval>> flights(static_cast<std::size_t>(m.definition.ring));
  for (const sim::Span& span : m.timeline.spans) {
    if (span.kind != sim::SpanKind::transfer || !(span.flight_end_s > span.flight_start_s)) continue;
    flights[static_cast<std::size_t>(span.rank)].emplace_back(span.flight_start_s, span.flight_end_s);
    if (span.peer >= 0 && span.peer != span.rank) {
      flights[static_cast<std::size_t>(span.peer)].emplace_back(span.flight_start_s, span.flight_end_s);
    }
  }
  for (std::vector<Interval>& of_rank : flights) {
    std::sort(of_rank.begin(), of_rank.end());
    std::vector<Interval> joined;
    for (const Interval& flight : of_rank) {
      if (joined.empty() || flight.first > joined.back().second) {
        joined.push_back(flight);
      } else {
        joined.back().second = std::max(joined.back().second, flight.second);
      }
    }
    of_rank = std::move(joined);
  }
  return flights;
}

/// Share of [start, end] that lies in the intervals.
double share_within(const std::vector<Interval>& intervals, double start, double end) {
  const auto ends_later = [](double time, const Interval& interval) { return time < interval.second; };
  double covered = 0.0;
  for (auto at = std::upper_bound(intervals.begin(), intervals.end(), start, ends_later);
       at != intervals.end() && at->first < end; ++at) {
    covered += std::min(end, at->second) - std::max(start, at->first);
  }
  return covered / (end - start);
}

Layout layout_named(const std::string& name) {
  for (const Layout layout : {Layout::contiguous, Layout::striped}) {
    if (name == name_of(layout)) return layout;
  }
  return Layout::zigzag;
}

}  // namespace

ShapedKernels::ShapedKernels(const Measurement& m) : ring_(m.definition.ring) {
  const Definition& d = m.definition;
  const Shards shards(layout_named(d.layout), d.tokens, d.ring);
  const std::vector<std::vector<Interval>> flights = flights_of(m);
  for (const sim::Span& span : m.timeline.spans) {
    if (span.kind != sim::SpanKind::attention || span.layer < 0 || span.step < 0 || !(span.end_s > span.start_s))
      continue;
    const std::int64_t travelling = (span.rank + d.ring - span.step % d.ring) % d.ring;  // block of rank r − k
    const bool queries_travel = span.name == "attend backward" && d.backward_travels == name_of(Rotation::q);
    const Mask mask{d.causal, d.windows.empty() ? std::nullopt : d.windows[static_cast<std::size_t>(span.layer)]};
    const AttendWork work =
        queries_travel ? shards.work(travelling, span.rank, mask) : shards.work(span.rank, travelling, mask);
    shapes_[{span.name, work.rows, work.columns, work.entries}].push_back(
        {span.rank, span.end_s - span.start_s,
         share_within(flights[static_cast<std::size_t>(span.rank)], span.start_s, span.end_s)});
  }
}

std::optional<KernelsBesideTransfers> ShapedKernels::beside_transfers() const {
  KernelsBesideTransfers all;
  double beside_s = 0.0;
  double alone_s = 0.0;
  for (const auto& [shape, kernels] : shapes_) {
    std::vector<double> beside;
    std::vector<double> alone;
    for (const Kernel& kernel : kernels) {
      if (kernel.in_flight >= beside_share) beside.push_back(kernel.seconds);
      if (kernel.in_flight <= alone_share) alone.push_back(kernel.seconds);
    }
    if (beside.size() < enough || alone.size() < enough) continue;
    const auto weight = static_cast<double>(beside.size());
    all.beside += static_cast<std::int64_t>(beside.size());
    all.alone += static_cast<std::int64_t>(alone.size());
    beside_s += weight * median(std::move(beside));
    alone_s += weight * median(std::move(alone));
  }
  if (all.beside == 0) return std::nullopt;
  all.ratio = beside_s / alone_s;
  return all;
}

std::optional<SlowRank> ShapedKernels::slowest_rank() const {
  std::optional<SlowRank> slowest;
  for (std::int64_t rank = 0; rank < ring_; ++rank) {
    std::vector<double> ratios;
    for (const auto& [shape, kernels] : shapes_) {
      std::vector<double> own;
      std::vector<double> others;
      for (const Kernel& kernel : kernels) (kernel.rank == rank ? own : others).push_back(kernel.seconds);
      if (own.size() < enough || others.size() < enough) continue;
      ratios.push_back(median(std::move(own)) / median(std::move(others)));
    }
    if (ratios.empty()) continue;
    const double ratio = median(std::move(ratios));
    if (!slowest || ratio > slowest->ratio) slowest = SlowRank{rank, ratio, 0.0};
  }
  return slowest;
}

}  // namespace ringsim::calibrate
