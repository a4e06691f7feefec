#include "calibrate/suite/metric.hpp"

#include "models/error.hpp"
#include "models/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace ringsim::calibrate {
namespace {

constexpr std::array metrics = {Metric::makespan, Metric::flop_rate,      Metric::ttft,      Metric::tpot,
                                Metric::hop,      Metric::attention_step, Metric::all_to_all};
constexpr std::array units = {MeasuredUnit::s, MeasuredUnit::ms, MeasuredUnit::us, MeasuredUnit::iterations_per_s,
                              MeasuredUnit::teraflop_per_s};

template <class List>
auto named(std::string_view name, const List& all, const char* what) {
  std::vector<std::string_view> known;
  for (const auto each : all) {
    if (name_of(each) == name) return each;
    known.push_back(name_of(each));
  }
  throw Error(fmt::format("there is no {} {}", what, name.empty() ? "without a name" : name), {},
              name_hint(name, known, "there are"));
}

bool fits(MeasuredUnit unit, Metric metric) {
  if (unit == MeasuredUnit::teraflop_per_s) return metric == Metric::flop_rate;
  if (unit == MeasuredUnit::iterations_per_s) return metric == Metric::makespan;
  return metric != Metric::flop_rate;
}

[[noreturn]] void fail_without(Metric metric, const char* hint) {
  throw Error(fmt::format("the run has no {}", name_of(metric)), "metric", hint);
}

const sim::RankSummary& slowest(const sim::Prediction& p) {
  return p.per_rank.at(static_cast<std::size_t>(p.slowest_rank));
}

// What flies beside hops is not theirs: pass-Q sends outputs home by an all-to-all.
double hop_seconds(const sim::Prediction& p) {
  double times = 0;
  double in_flight_s = slowest(p).in_flight_s;
  for (const sim::TrafficSummary& traffic : p.traffic) {
    if (traffic.kind == "hop") times = std::max(times, traffic.times);
    if (traffic.kind == "all-to-all") in_flight_s -= traffic.seconds;
  }
  // Attention alone lists no hops: a ring has a hop less than ranks.
  if (times == 0) times = static_cast<double>((p.ring_size - 1) * p.layers);
  if (times <= 0) fail_without(Metric::hop, "parallel.ring of 2 or more");
  return in_flight_s / times;
}

double all_to_all_seconds(const sim::Prediction& p) {
  for (const sim::TrafficSummary& traffic : p.traffic) {
    if (traffic.kind == "all-to-all" && traffic.times > 0) return traffic.seconds / traffic.times;
  }
  fail_without(Metric::all_to_all, "ring.travels: q, or parallel.ulysses of 2 or more");
}

}  // namespace

std::string_view name_of(Metric metric) {
  switch (metric) {
    case Metric::makespan:
      return "makespan";
    case Metric::flop_rate:
      return "flop-rate";
    case Metric::ttft:
      return "ttft";
    case Metric::tpot:
      return "tpot";
    case Metric::hop:
      return "hop";
    case Metric::attention_step:
      return "attention-step";
    case Metric::all_to_all:
      break;
  }
  return "all-to-all";
}

std::string_view name_of(MeasuredUnit unit) {
  switch (unit) {
    case MeasuredUnit::s:
      return "s";
    case MeasuredUnit::ms:
      return "ms";
    case MeasuredUnit::us:
      return "us";
    case MeasuredUnit::iterations_per_s:
      return "iter/s";
    case MeasuredUnit::teraflop_per_s:
      break;
  }
  return "TFLOP/s";
}

Metric metric_of(std::string_view name) { return named(name, metrics, "metric"); }

MeasuredUnit unit_of(std::string_view name, Metric metric) {
  const MeasuredUnit unit = named(name, units, "unit");
  if (!fits(unit, metric)) {
    std::vector<std::string_view> legal;
    for (const MeasuredUnit other : units) {
      if (fits(other, metric)) legal.push_back(name_of(other));
    }
    throw Error(fmt::format("{} is not measured in {}", name_of(metric), name), {},
                fmt::format("one of {}", joined(legal)));
  }
  return unit;
}

Flop benchmark_flop(const Scenario& s) {
  const auto tokens = static_cast<double>(s.workload.tokens);
  const double forward = static_cast<double>(s.model.layers * s.workload.batch * s.model.heads) * tokens * tokens *
                         2.0 * static_cast<double>(s.model.query_key_dim() + s.model.value_dim()) *
                         (s.workload.causal ? 0.5 : 1.0);
  const double passes = (runs_forward(s.workload.phase) ? 1.0 : 0.0) + (runs_backward(s.workload.phase) ? 2.5 : 0.0);
  return flop(forward * passes);
}

double measured_seconds(double value, MeasuredUnit unit, const Scenario& scenario) {
  switch (unit) {
    case MeasuredUnit::s:
      return value;
    case MeasuredUnit::ms:
      return value / 1e3;
    case MeasuredUnit::us:
      return value / 1e6;
    case MeasuredUnit::iterations_per_s:
      return 1.0 / value;
    case MeasuredUnit::teraflop_per_s:
      break;
  }
  return in_flop(benchmark_flop(scenario)) / (static_cast<double>(scenario.parallel.product()) * value * 1e12);
}

double predicted_seconds(Metric metric, const sim::Prediction& p) {
  switch (metric) {
    case Metric::makespan:
    case Metric::flop_rate:
      return p.makespan_s;
    case Metric::ttft:
      if (!p.ttft_s) fail_without(metric, "workload: {phase: prefill, scope: model}");
      return *p.ttft_s;
    case Metric::tpot:
      if (!p.tpot_s) fail_without(metric, "workload.phase: decode");
      return *p.tpot_s;
    case Metric::hop:
      return hop_seconds(p);
    case Metric::attention_step:
      return slowest(p).attention_s / static_cast<double>(p.ring_size * p.layers);
    case Metric::all_to_all:
      break;
  }
  return all_to_all_seconds(p);
}

}  // namespace ringsim::calibrate
