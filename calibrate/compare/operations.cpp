#include "calibrate/compare/operations.hpp"

#include "calibrate/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace ringsim::calibrate {
namespace {

using sim::Span;
using sim::SpanKind;
using SpanRefs = std::vector<const Span*>;
using GroupKey = std::pair<SpanKind, std::string>;

GroupKey named_group(SpanKind kind, const std::string& name) { return {kind, name}; }

/// Where executions are not known, names of kernels that merge and of transfers are the source's own: kinds stay.
GroupKey kind_group(SpanKind kind, const std::string& name) {
  if (kind == SpanKind::attention) return {kind, name};
  return {kind, kind == SpanKind::merge ? "all merges" : "all transfers"};
}

/// Spans by group; groups in order of first appearance.
class Groups {
 public:
  Groups(const std::vector<Span>& spans, GroupKey (*key_of)(SpanKind, const std::string&)) {
    for (const Span& span : spans) {
      const auto [at, is_new] = spans_.try_emplace(key_of(span.kind, span.name));
      if (is_new) order_.push_back(at->first);
      at->second.push_back(&span);
    }
  }
  [[nodiscard]] const std::vector<GroupKey>& order() const { return order_; }
  [[nodiscard]] SpanRefs of(const GroupKey& key) const {
    const auto found = spans_.find(key);
    return found == spans_.end() ? SpanRefs() : found->second;
  }

 private:
  std::map<GroupKey, SpanRefs> spans_;
  std::vector<GroupKey> order_;
};

void add_one_sided(const GroupKey& key, const SpanRefs& spans, bool measured, std::vector<OneSided>& all) {
  if (spans.empty()) return;
  const Span& first = *spans.front();
  OneSided one{measured, key.second, key.first, 0, 0, first.rank, first.layer, first.step};
  for (const Span* span : spans) {
    ++one.count;
    one.total_s += duration_s(*span);
  }
  all.push_back(std::move(one));
}

ErrorSpread spread_of(const std::vector<OperationError>& errors) {
  ErrorSpread spread;
  std::vector<double> sizes;
  for (const OperationError& one : errors) {
    if (!one.error) {
      ++spread.without_time;
      continue;
    }
    sizes.push_back(std::abs(*one.error));
    if (!spread.worst.error || sizes.back() > std::abs(*spread.worst.error)) spread.worst = one;
  }
  if (sizes.empty()) return spread;
  spread.median = median(sizes);
  spread.p90 = quantile(std::move(sizes), 0.9);
  return spread;
}

struct Sums {
  std::int64_t count = 0;
  double total_s = 0;
  std::optional<double> median_s;  // absent: not to be had from the medians of the parts
};

OperationGroup group(const GroupKey& key, const Sums& measured, const Sums& predicted) {
  OperationGroup g;
  g.kind = key.first;
  g.name = key.second;
  g.measured_count = measured.count;
  g.predicted_count = predicted.count;
  g.measured_s = measured.total_s;
  g.predicted_s = predicted.total_s;
  g.measured_median_s = measured.median_s;
  g.predicted_median_s = predicted.median_s;
  g.error = signed_error(predicted.total_s, measured.total_s, measured.total_s);
  if (measured.median_s && predicted.median_s) {
    g.median_error = signed_error(*predicted.median_s, *measured.median_s, *measured.median_s);
  }
  return g;
}

Sums sums_of(const SpanRefs& spans) {
  Sums sums;
  std::vector<double> durations;
  for (const Span* span : spans) {
    durations.push_back(duration_s(*span));
    sums.total_s += durations.back();
  }
  sums.count = static_cast<std::int64_t>(spans.size());
  if (!durations.empty()) sums.median_s = median(std::move(durations));
  return sums;
}

/// Executions of one group by place, each place's in order of time.
std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, SpanRefs> by_place(const SpanRefs& spans) {
  std::map<std::tuple<std::int64_t, std::int64_t, std::int64_t>, SpanRefs> places;
  for (const Span* span : spans) places[{span->layer, span->step, span->rank}].push_back(span);
  for (auto& [place, here] : places) {
    std::stable_sort(here.begin(), here.end(), [](const Span* a, const Span* b) { return a->start_s < b->start_s; });
  }
  return places;
}

void match(const GroupKey& key, const SpanRefs& predicted, const SpanRefs& measured, ComparedOperations& result) {
  auto measured_places = by_place(measured);
  SpanRefs only_predicted;
  SpanRefs only_measured;
  SpanRefs both_predicted;
  SpanRefs both_measured;
  std::vector<OperationError> errors;
  for (const auto& [place, here] : by_place(predicted)) {
    SpanRefs& there = measured_places[place];
    const std::size_t common = std::min(here.size(), there.size());
    for (std::size_t i = 0; i < common; ++i) {
      OperationError e{here[i]->rank, here[i]->layer, here[i]->step, duration_s(*there[i]), duration_s(*here[i]), {}};
      e.error = signed_error(e.predicted_s, e.measured_s, e.measured_s);
      errors.push_back(e);
      both_predicted.push_back(here[i]);
      both_measured.push_back(there[i]);
    }
    only_predicted.insert(only_predicted.end(), here.begin() + static_cast<std::ptrdiff_t>(common), here.end());
    there.erase(there.begin(), there.begin() + static_cast<std::ptrdiff_t>(common));
  }
  for (const auto& [place, rest] : measured_places) only_measured.insert(only_measured.end(), rest.begin(), rest.end());

  if (!errors.empty()) {
    result.groups.push_back(group(key, sums_of(both_measured), sums_of(both_predicted)));
    result.groups.back().spread = spread_of(errors);
    result.groups.back().matched = std::move(errors);
  }
  add_one_sided(key, only_measured, true, result.one_sided);
  add_one_sided(key, only_predicted, false, result.one_sided);
}

/// Totals of an import that has no spans, or of spans whose places are not known.
std::map<GroupKey, Sums> measured_sums(const Measurement& m) {
  std::map<GroupKey, Sums> all;
  const Groups groups(m.timeline.spans, kind_group);
  for (const GroupKey& key : groups.order()) all[key] = sums_of(groups.of(key));
  if (!all.empty()) return all;
  for (const OperationTotal& total : m.totals) {
    Sums& sums = all[kind_group(total.kind, total.name)];
    sums.median_s = sums.count == 0 ? std::optional<double>(total.median_s) : std::nullopt;
    sums.count += total.count;
    sums.total_s += total.total_s;
  }
  return all;
}

void compare_by_kind(const sim::Timeline& predicted, const Measurement& measured, ComparedOperations& result) {
  std::map<GroupKey, Sums> left = measured_sums(measured);
  const Groups groups(predicted.spans, kind_group);
  for (const GroupKey& key : groups.order()) {
    const auto found = left.find(key);
    if (found == left.end()) {
      add_one_sided(key, groups.of(key), false, result.one_sided);
      continue;
    }
    result.groups.push_back(group(key, found->second, sums_of(groups.of(key))));
    left.erase(found);
  }
  for (const auto& [key, sums] : left) {
    result.one_sided.push_back({true, key.second, key.first, sums.count, sums.total_s, -1, -1, -1});
  }
}

}  // namespace

double duration_s(const Span& span) {
  return span.kind == SpanKind::transfer ? span.flight_end_s - span.flight_start_s : span.end_s - span.start_s;
}

std::optional<double> signed_error(double predicted, double measured, double reference) {
  if (predicted == measured) return 0.0;
  if (!(reference > 0.0)) return std::nullopt;
  return (predicted - measured) / reference;
}

std::vector<OperationTotal> operation_totals(const Measurement& measurement) {
  if (measurement.timeline.spans.empty()) return measurement.totals;
  std::vector<OperationTotal> totals;
  const Groups groups(measurement.timeline.spans, named_group);
  for (const GroupKey& key : groups.order()) {
    const Sums sums = sums_of(groups.of(key));
    totals.push_back({key.second, key.first, sums.count, sums.total_s, sums.median_s.value_or(0.0)});
  }
  return totals;
}

ComparedOperations compare_operations(const sim::Timeline& predicted, const Measurement& measured) {
  const std::vector<Span>& spans = measured.timeline.spans;
  ComparedOperations result;
  result.one_by_one = !spans.empty() && std::all_of(spans.begin(), spans.end(),
                                                    [](const Span& s) { return s.layer >= 0 && s.step >= 0; });
  if (!result.one_by_one) {
    compare_by_kind(predicted, measured, result);
    return result;
  }
  const Groups predicted_groups(predicted.spans, named_group);
  const Groups measured_groups(spans, named_group);
  for (const GroupKey& key : predicted_groups.order()) {
    match(key, predicted_groups.of(key), measured_groups.of(key), result);
  }
  for (const GroupKey& key : measured_groups.order()) {
    if (predicted_groups.of(key).empty()) add_one_sided(key, measured_groups.of(key), true, result.one_sided);
  }
  return result;
}

}  // namespace ringsim::calibrate
