#include "sim/critical/advice.hpp"

#include "sim/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::sim {
namespace {

constexpr double noticeable = 0.02;
constexpr double nothing = 5e-5;

double share_of(const Explanation& e, TimePart part) {
  double share = 0;
  for (const TimeShare& s : e.shares) share += s.part == part ? s.share : 0.0;
  return share;
}

const Sensitivity* best_lever(const Explanation& e) {
  const Sensitivity* best = nullptr;
  for (const Sensitivity& s : e.sensitivities) {
    if (!is_part_of_time(s.parameter) || !s.saved_by_tenth) continue;
    if (best == nullptr || *s.saved_by_tenth > *best->saved_by_tenth) best = &s;
  }
  return best;
}

const Sensitivity* best_bandwidth(const Explanation& e) {
  const Sensitivity* best = nullptr;
  for (const Sensitivity& s : e.sensitivities) {
    if (s.parameter.kind != ParameterKind::bandwidth || !s.saved_by_double) continue;
    if (best == nullptr || *s.saved_by_double > *best->saved_by_double) best = &s;
  }
  return best;
}

// "saves 4.2 %", "saves nothing", "costs 1.0 %"
std::string effect(double saved) {
  if (std::abs(saved) < nothing) return "changes nothing";
  return saved > 0 ? fmt::format("saves {}", phrases::percent(saved))
                   : fmt::format("costs {}", phrases::percent(-saved));
}

std::string twice_as_good(const Parameter& p) {
  return fmt::format("{} the {}", p.is_rate() ? "twice" : "half", p.name);
}

std::string lever_sentence(const Sensitivity& s) {
  const double decided = std::max(0.0, s.slower);
  return fmt::format("The {} decides {} of the time: {} of it {}, {} {}.", s.parameter.name, phrases::percent(decided),
                     s.parameter.is_rate() ? "10 % more" : "a tenth less", effect(*s.saved_by_tenth),
                     s.parameter.is_rate() ? "twice as much" : "half", effect(*s.saved_by_double));
}

// What else would do what bandwidth does.
std::string around_bandwidth(const Explanation& e) {
  const Prediction& p = e.prediction;
  const auto& minimum = p.b_min_forward.calibrated_tokens;
  if (!p.no_b_min.empty() || !minimum || *minimum <= static_cast<double>(p.tokens_per_rank)) return {};
  return fmt::format(
      " Blocks of {} tokens a rank instead of {} would hide the transfers as well: a smaller ring, or a longer "
      "sequence.",
      phrases::whole_tokens(*minimum), phrases::count(p.tokens_per_rank));
}

std::string slow_ranks(const Explanation& e) {
  const double share = share_of(e, TimePart::slow_ranks);
  if (share < noticeable) return {};
  std::string text = fmt::format(" Slow ranks take {} of the time", phrases::percent(share));
  if (!e.prediction.stragglers.empty()) {
    const auto worst = std::max_element(e.prediction.stragglers.begin(), e.prediction.stragglers.end(),
                                        [](const auto& a, const auto& b) { return a.makespan_s < b.makespan_s; });
    text += fmt::format("; rank {} alone costs {}, and every other rank waits {} for it", worst->rank,
                        phrases::time(worst->makespan_s), phrases::time(worst->others_wait_s));
  }
  return text + ".";
}

std::string unequal_work(const Explanation& e, const Scenario& s) {
  const double share = share_of(e, TimePart::imbalance);
  if (share < noticeable) return {};
  std::string text = fmt::format(" Work that is not equal takes {} of the time", phrases::percent(share));
  if (s.workload.causal && s.ring.layout == Layout::contiguous && s.parallel.ring > 1) {
    text += ": ring.layout zigzag or striped divides a causal mask evenly";
  }
  return text + ".";
}

std::string small_operations(const Explanation& e) {
  const double share = share_of(e, TimePart::overhead) + share_of(e, TimePart::latency);
  if (share < 0.1) return {};
  return fmt::format(" Launches, latencies and events take {} of the time: fewer and larger operations shorten it.",
                     phrases::percent(share));
}

}  // namespace

std::string advice_of(const Explanation& e, const Scenario& scenario) {
  const Sensitivity* best = best_lever(e);
  std::string text;
  if (best != nullptr) {
    text = lever_sentence(*best);
    if (best->parameter.kind == ParameterKind::bandwidth) {
      text += around_bandwidth(e);
    } else if (const Sensitivity* link = best_bandwidth(e); link != nullptr && e.prediction.ranks > 1) {
      text += std::abs(*link->saved_by_double) < nothing
                  ? std::string(" Faster links change nothing.")
                  : fmt::format(" Of what the links have, {} {}.", twice_as_good(link->parameter),
                                effect(*link->saved_by_double));
    }
  }
  if (e.prediction.stages > 1 && e.prediction.bottleneck.kind == "imbalance")
    text += " " + e.prediction.bottleneck.sentence;
  return text + slow_ranks(e) + unequal_work(e, scenario) + small_operations(e);
}

}  // namespace ringsim::sim
