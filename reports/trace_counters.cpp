#include "reports/trace_counters.hpp"

#include "reports/trace_threads.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace ringsim::reports {
namespace {

using Changes = std::map<std::int64_t, std::int64_t>;  // [bytes/s] by time [ns]

std::vector<RateStep> steps_of(const Changes& changes) {
  std::vector<RateStep> steps;
  std::int64_t rate = 0;
  for (const auto& [at, change] : changes) {
    if (change == 0) continue;
    rate += change;
    steps.push_back({at, rate});
  }
  return steps;
}

/// Empty: not known. Where a transfer takes links of two kinds, both.
std::string class_of(const sim::Timeline& timeline, const sim::Span& span) {
  const auto of = [&](const std::vector<std::string>& classes) {
    const auto rank = static_cast<std::size_t>(timeline.ranks > 0 ? span.rank % timeline.ranks : 0);
    return rank < classes.size() ? classes[rank] : std::string();
  };
  const std::string first = of(timeline.link_classes);
  const std::string second = of(timeline.second_link_classes);
  if (span.hops == sim::HopsTaken::first || first == second) return first;
  return span.hops == sim::HopsTaken::second ? second : first + " and " + second;
}

}  // namespace

LinkRates link_rates(const sim::Timeline& timeline) {
  std::map<std::int64_t, Changes> by_rank;
  std::map<std::string, Changes> by_class;
  for (const sim::Span& span : timeline.spans) {
    const std::int64_t start = nanoseconds(span.flight_start_s);
    const std::int64_t end = nanoseconds(span.flight_end_s);
    if (span.kind != sim::SpanKind::transfer || end <= start) continue;
    const std::int64_t rate = std::llround(span.bytes / (span.flight_end_s - span.flight_start_s));
    const auto add = [&](Changes& changes) {
      changes[start] += rate;
      changes[end] -= rate;
    };
    add(by_rank[span.rank]);
    if (const std::string name = class_of(timeline, span); !name.empty()) add(by_class[name]);
  }
  LinkRates rates;
  for (const auto& [rank, changes] : by_rank) rates.by_rank[rank] = steps_of(changes);
  for (const auto& [name, changes] : by_class) rates.by_link_class[name] = steps_of(changes);
  return rates;
}

}  // namespace ringsim::reports
