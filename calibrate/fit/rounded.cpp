#include "calibrate/fit/rounded.hpp"

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

constexpr int value_digits = 5;
constexpr int uncertainty_digits = 2;

/// The step between numbers of so many digits at `value`, which is not zero.
double step_at(double value, int digits) {
  return std::pow(10.0, std::floor(std::log10(std::abs(value))) - (digits - 1));
}

double to_digits(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double step = step_at(value, value_digits);
  // Steps below 1 are divided by, since 1e-7 is no double but 1e7 is: what comes out is the double nearest to the decimal.
  return step < 1.0 ? std::round(value * std::round(1.0 / step)) / std::round(1.0 / step)
                    : std::round(value / step) * step;
}

double up_to_digits(double value) {
  if (value == 0.0 || !std::isfinite(value)) return value;
  const double per_one = std::round(1.0 / step_at(value, uncertainty_digits));
  return std::ceil(value * per_one - 1e-9) / per_one;
}

double rounded_value(double value) { return to_digits(value); }
Duration rounded_value(Duration value) { return seconds(to_digits(in_seconds(value) * 1e9) / 1e9); }
Bandwidth rounded_value(Bandwidth value) { return bytes_per_second(to_digits(in_bytes_per_second(value))); }
FlopRate rounded_value(FlopRate value) { return flop_per_second(to_digits(in_flop_per_second(value))); }

// Where two sizes take the same time, rounding could make the larger one the faster: its efficiency then goes down a digit.
void round_knots(std::vector<LinkKnot>& knots) {
  double before = 0;
  for (LinkKnot& knot : knots) {
    const double exact = knot.efficiency;
    knot.efficiency = to_digits(exact);
    for (int steps = 1; in_bytes(knot.size) / knot.efficiency < before; ++steps) {
      knot.efficiency = to_digits(exact - steps * step_at(exact, value_digits));
    }
    before = in_bytes(knot.size) / knot.efficiency;
  }
}

template <class T>
void round(Calibrated<T>& c) {
  c.value = rounded_value(c.value);
  c.relative_uncertainty = up_to_digits(c.relative_uncertainty);
}

}  // namespace

Profile rounded(Profile p) {
  for (AttentionCost* cost : {&p.forward, &p.backward}) {
    round(cost->saturated);
    round(cost->half_depth);
    round(cost->half_rows);
    round(cost->sustained);
  }
  round(p.launch);
  round(p.merge_traffic);
  if (p.partial_merge_traffic) round(*p.partial_merge_traffic);
  round(p.issue);
  round(p.merge_bandwidth);
  round(p.event_latency);
  for (auto& [link_class, link] : p.links) {
    round(link.latency);
    round(link.efficiency);
    round_knots(link.by_size);
    if (link.single_flow) round(*link.single_flow);
  }
  for (std::optional<GemmCost>* cost : {&p.gemm, &p.gemm_fp8}) {
    if (!*cost) continue;
    round((*cost)->saturated);
    round((*cost)->half_rows);
  }
  if (p.memory_bandwidth) round(*p.memory_bandwidth);
  for (CollectiveCost& cost : p.collectives) {
    round(cost.latency);
    round(cost.efficiency);
    round_knots(cost.by_size);
  }
  for (std::optional<Interference>* shares : {&p.sm_kernel, &p.copy_engine}) {
    if (!*shares) continue;
    round((*shares)->compute_share);
    round((*shares)->transfer_share);
    for (std::optional<ProgressShares>* pass : {&(*shares)->forward, &(*shares)->backward}) {
      if (!*pass) continue;
      round((*pass)->compute_share);
      round((*pass)->transfer_share);
    }
  }
  return p;
}

}  // namespace ringsim::calibrate
