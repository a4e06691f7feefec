#include "models/profile.hpp"

#include <cmath>

namespace ringsim {
namespace {

// A rate gets slower when it falls, a cost when it rises.
template <class T>
void slow_down_rate(Calibrated<T>& rate, int direction) {
  rate.value = rate.value * (1.0 / (1.0 + direction * rate.relative_uncertainty));
}
template <class T>
void slow_down_cost(Calibrated<T>& cost, int direction) {
  cost.value = cost.value * (1.0 + direction * cost.relative_uncertainty);
}

}  // namespace

std::string name_of(Origin origin) {
  switch (origin) {
    case Origin::measured:
      return "measured";
    case Origin::published:
      return "published";
    case Origin::vendor:
      return "vendor";
    case Origin::assumed:
      break;
  }
  return "assumed";
}

Profile datasheet_profile(const Gpu& gpu, Dtype dtype) {
  Profile p;
  p.name = "datasheet";
  p.gpu = gpu.name;
  const FlopRate rate = peak(gpu, dtype);
  p.forward = {{rate, 0.0, Origin::vendor, "peak of " + gpu.name}, {0.0, 0.0, Origin::assumed, "no fill cost"}};
  p.backward = p.forward;
  p.query_tile = 0;
  p.key_tile = 0;
  return p;
}

Profile shifted(const Profile& profile, int direction) {
  Profile p = profile;
  for (AttentionCost* pass : {&p.forward, &p.backward}) {
    slow_down_rate(pass->saturated, direction);
    slow_down_cost(pass->half_depth, direction);
    slow_down_cost(pass->half_rows, direction);
  }
  slow_down_cost(p.launch, direction);
  slow_down_cost(p.merge_traffic, direction);
  slow_down_rate(p.merge_bandwidth, direction);
  slow_down_cost(p.event_latency, direction);
  for (auto& [link_class, link] : p.links) {
    slow_down_cost(link.latency, direction);
    const double before = link.efficiency.value;
    slow_down_rate(link.efficiency, direction);
    for (LinkKnot& knot : link.by_size) knot.efficiency *= link.efficiency.value / before;  // the curve moves as one
  }
  for (std::optional<Interference>* shared : {&p.sm_kernel, &p.copy_engine}) {
    if (!*shared) continue;
    slow_down_rate((*shared)->compute_share, direction);
    slow_down_rate((*shared)->transfer_share, direction);
  }
  return p;
}

}  // namespace ringsim
