#include "models/profile_parameters.hpp"

#include <algorithm>
#include <limits>

namespace ringsim {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// What a moved value does: costs grow and rates fall where it gets slower.
enum class Kind { cost, rate };

double factor(Kind kind, double uncertainty, int direction) {
  const double slower = 1.0 + direction * uncertainty;
  return kind == Kind::cost ? slower : 1.0 / slower;
}

double at_most(double value, double limit) { return std::min(value, limit); }
// A quantity with a unit has no limit.
template <int Time, int Byte, int Flop>
Quantity<Time, Byte, Flop> at_most(Quantity<Time, Byte, Flop> value, double) {
  return value;
}

std::string name_of(const CollectiveCost& cost) {
  return "collectives." + cost.kind + "." + cost.link_class + "." + std::to_string(cost.ranks);
}

// Calls visit(name, part, link class, calibrated value, kind, limit) for every value of a profile, const or not.
template <class AnyProfile, class Visit>
void for_each_value(AnyProfile& p, const Visit& visit) {
  const auto attention = [&](const std::string& name, ProfilePart part, auto& cost) {
    visit(name + ".saturated", part, "", cost.saturated, Kind::rate, unlimited);
    visit(name + ".half_depth", part, "", cost.half_depth, Kind::cost, unlimited);
    visit(name + ".half_rows", part, "", cost.half_rows, Kind::cost, unlimited);
    visit(name + ".sustained", part, "", cost.sustained, Kind::rate, 1.0);
  };
  attention("forward", ProfilePart::forward, p.forward);
  attention("backward", ProfilePart::backward, p.backward);
  visit("launch", ProfilePart::launch, "", p.launch, Kind::cost, unlimited);
  visit("merge_traffic", ProfilePart::merge, "", p.merge_traffic, Kind::cost, unlimited);
  if (p.partial_merge_traffic)
    visit("partial_merge_traffic", ProfilePart::merge, "", *p.partial_merge_traffic, Kind::cost, unlimited);
  visit("issue", ProfilePart::launch, "", p.issue, Kind::cost, unlimited);
  visit("merge_bandwidth", ProfilePart::merge, "", p.merge_bandwidth, Kind::rate, unlimited);
  visit("event_latency", ProfilePart::event_latency, "", p.event_latency, Kind::cost, unlimited);
  for (auto& [link_class, link] : p.links) {
    visit("links." + link_class + ".latency", ProfilePart::link, link_class, link.latency, Kind::cost, unlimited);
    visit("links." + link_class + ".efficiency", ProfilePart::link, link_class, link.efficiency, Kind::rate, 1.0);
    if (link.single_flow) {
      visit("links." + link_class + ".single_flow", ProfilePart::link, link_class, *link.single_flow, Kind::rate,
            unlimited);
    }
  }
  const auto interference = [&](const std::string& engine, ProfilePart part, auto& shared) {
    if (!shared) return;
    const auto shares = [&](const std::string& name, auto& of) {
      visit("interference." + name + ".compute_share", part, "", of.compute_share, Kind::rate, 1.0);
      visit("interference." + name + ".transfer_share", part, "", of.transfer_share, Kind::rate, 1.0);
    };
    shares(engine, *shared);
    if (shared->forward) shares(engine + ".forward", *shared->forward);
    if (shared->backward) shares(engine + ".backward", *shared->backward);
  };
  interference("sm-kernel", ProfilePart::sm_kernel, p.sm_kernel);
  interference("copy-engine", ProfilePart::copy_engine, p.copy_engine);
  const auto gemm = [&](const std::string& name, auto& cost) {
    if (!cost) return;
    visit(name + ".saturated", ProfilePart::gemm, "", cost->saturated, Kind::rate, unlimited);
    visit(name + ".half_rows", ProfilePart::gemm, "", cost->half_rows, Kind::cost, unlimited);
  };
  gemm("gemm", p.gemm);
  gemm("gemm_fp8", p.gemm_fp8);
  if (p.memory_bandwidth)
    visit("memory_bandwidth", ProfilePart::memory, "", *p.memory_bandwidth, Kind::rate, unlimited);
  for (auto& one : p.collectives) {
    const std::string name = name_of(one);
    visit(name + ".latency", ProfilePart::collective, one.link_class, one.latency, Kind::cost, unlimited);
    visit(name + ".efficiency", ProfilePart::collective, one.link_class, one.efficiency, Kind::rate, 2.0);
  }
}

}  // namespace

std::vector<ProfileParameter> uncertain_parameters(const Profile& profile) {
  std::vector<ProfileParameter> all;
  for_each_value(profile, [&](const std::string& name, ProfilePart part, const std::string& link_class,
                              const auto& value, Kind, double) {
    if (value.relative_uncertainty > 0 && value.value != decltype(value.value){}) {
      all.push_back({name, part, link_class, value.relative_uncertainty});
    }
  });
  return all;
}

Profile moved(const Profile& profile, const ProfileParameter& parameter, int direction) {
  Profile p = profile;
  for_each_value(p, [&](const std::string& name, ProfilePart, const std::string& link_class, auto& value, Kind kind,
                        double limit) {
    if (name != parameter.name) return;
    const double by = factor(kind, value.relative_uncertainty, direction);
    value.value = at_most(value.value * by, limit);
    if (!name.ends_with(".efficiency")) return;
    // The curve moves as a whole.
    const auto move = [&](std::vector<LinkKnot>& knots) {
      for (LinkKnot& knot : knots) knot.efficiency = std::min(limit, knot.efficiency * by);
    };
    if (parameter.part == ProfilePart::link) move(p.links.at(link_class).by_size);
    if (parameter.part != ProfilePart::collective) return;
    for (CollectiveCost& cost : p.collectives) {
      if (name_of(cost) + ".efficiency" == name) move(cost.by_size);
    }
  });
  return p;
}

}  // namespace ringsim
