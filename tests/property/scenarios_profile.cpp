// Whatever profile the language allows reads back bit for bit from what is written of it, as a file and in a scenario.

#include "scenarios/format.hpp"
#include "scenarios/format_profile.hpp"
#include "scenarios/reader.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace ringsim::scenarios {
namespace {

// A double between two bounds above zero, spread over orders of magnitude, with all its digits.
double between(double low, double high) {
  const auto drawn = *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, 1ULL << 53U));
  const double part = std::ldexp(static_cast<double>(drawn), -53);
  return std::clamp(low * std::pow(high / low, part), low, high);
}
bool coin() { return *rc::gen::inRange(0, 2) == 0; }

// Printable characters, those that mean something to YAML among them.
std::string text() {
  return *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab7 :#-{}[]\"'\\,&*!|>%@`~?")));
}

template <class T>
Calibrated<T> calibrated(T value) {
  return {value, coin() ? 0.0 : between(1e-6, 0.99),
          *rc::gen::element(Origin::measured, Origin::published, Origin::vendor, Origin::assumed), text()};
}
Calibrated<double> tokens() { return calibrated(coin() ? 0.0 : between(1e-3, 1e9)); }
Calibrated<double> share() { return calibrated(between(1e-4, 1)); }
Calibrated<Duration> duration() { return calibrated(seconds(coin() ? 0.0 : between(1e-9, 3600))); }

AttentionCost attention() {
  AttentionCost cost{calibrated(flop_per_second(between(1e6, 1e21))), tokens(), {}};
  if (coin()) cost.half_rows = tokens();
  return cost;
}

Range range(double low, double high) {
  const double a = between(low, high);
  const double b = between(low, high);
  return {std::min(a, b), std::max(a, b)};
}

LinkCost link() {
  LinkCost cost{duration(), share(), {}, {}};
  const int knots = *rc::gen::inRange(0, 6);
  double size_bytes = between(1, 1e4);
  double efficiency = between(1e-3, 1);
  for (int i = 0; i < knots; ++i) {
    cost.by_size.push_back({bytes(size_bytes), efficiency});
    const double growth = between(1.01, 30);
    size_bytes *= growth;
    efficiency = std::min(1.0, efficiency * between(1e-1, growth));  // so that the time does not fall
    efficiency = std::max(efficiency, 1e-4);
  }
  if (coin()) cost.measured_bytes = range(1, 1e12);
  return cost;
}

Profile profile() {
  Profile p;
  p.name = "n" + text();
  p.calibrated = true;
  p.gpu = "g" + text();
  p.forward = attention();
  p.backward = attention();
  p.query_tile = *rc::gen::inRange<std::int64_t>(1, 1000000);
  p.key_tile = *rc::gen::inRange<std::int64_t>(1, 1000000);
  if (coin()) p.multiprocessors = *rc::gen::inRange<std::int64_t>(1, 1000000);
  p.launch = duration();
  p.merge_traffic = calibrated(coin() ? 0.0 : between(1e-3, 1000));
  p.merge_bandwidth = calibrated(bytes_per_second(between(1, 1e18)));
  p.event_latency = duration();
  p.contest_for_multiprocessors = coin();
  for (const char* link_class : {"host-memory", "nvlink4", "by_size"}) {
    if (coin()) p.links[link_class] = link();
  }
  if (coin()) p.sm_kernel = Interference{share(), share()};
  if (coin()) p.copy_engine = Interference{share(), share()};
  if (coin()) p.measured = AttentionRange{range(1, 1e9), range(1, 1e9), range(1, 1e9), range(1, 1e9)};
  for (const char* key : {"device", "made", "date"}) {
    if (coin()) p.made[key] = "m" + text();
  }
  return p;
}

RC_GTEST_PROP(ScenarioProfiles, RoundTripAsFiles, ()) {
  const Profile p = profile();
  RC_ASSERT(read_profile_text(format_profile(p, "a\nb"), "p.yaml") == p);
}

RC_GTEST_PROP(ScenarioProfiles, RoundTripInScenarios, ()) {
  const Profile p = profile();
  std::string indented = "  " + format_profile(p);
  for (std::size_t at = indented.find('\n'); at + 1 < indented.size(); at = indented.find('\n', at + 1))
    indented.insert(at + 1, "  ");
  const Scenario s = read_scenario_text(
      "name: n\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\nprofile:\n" + indented, "s.yaml");
  RC_ASSERT(s.profile == p);
  const Scenario again = read_scenario_text(format_scenario(s, Origins::as_comments), "again.yaml");
  RC_ASSERT(again.profile == p);
  RC_ASSERT(again.hash == s.hash);
}

}  // namespace
}  // namespace ringsim::scenarios
