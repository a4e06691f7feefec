#include "sim/critical/parameters.hpp"

#include "models/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::sim {
namespace {

bool whole_model(const Scenario& s) { return s.workload.scope == Scope::model; }

double latency_of(const Scenario& s, const Link& link) {
  if (link.latency) return in_seconds(*link.latency);
  const auto known = s.profile.links.find(link.link_class);
  return known == s.profile.links.end() ? 0.0 : in_seconds(known->second.latency.value);
}

void add_links(const Scenario& s, std::vector<Parameter>& all) {
  const auto add = [&](const Link& link, bool inter_node) {
    const std::string where = inter_node ? "cluster.inter_node" : "cluster.intra_node";
    Parameter bandwidth{ParameterKind::bandwidth, "bandwidth of " + link.link_class, where + ".bandwidth",
                        link.link_class, inter_node};
    bandwidth.value = in_bytes_per_second(link.bandwidth);
    bandwidth.unit = "bytes_per_s";
    all.push_back(bandwidth);
    Parameter latency{ParameterKind::latency, "latency of " + link.link_class,
                      link.latency ? where + ".latency" : "profile.links." + link.link_class + ".latency",
                      link.link_class, inter_node};
    latency.value = latency_of(s, link);
    latency.unit = "s";
    if (latency.value > 0) all.push_back(latency);
  };
  add(s.cluster.intra_node, false);
  if (s.cluster.inter_node && s.cluster.inter_node->link_class != s.cluster.intra_node.link_class) {
    add(*s.cluster.inter_node, true);
  }
}

// Of hops and collectives. A class that the profile does not know has its nominal bandwidth: efficiency 1.
void scale_bandwidth(Profile& profile, const std::string& link_class, double factor) {
  const auto known = profile.links.find(link_class);
  if (known == profile.links.end()) {
    LinkCost cost;
    cost.efficiency.value = 1.0 / factor;
    profile.links.emplace(link_class, cost);
  } else {
    known->second.efficiency.value /= factor;
    for (LinkKnot& knot : known->second.by_size) knot.efficiency /= factor;
  }
  for (CollectiveCost& cost : profile.collectives) {
    if (cost.link_class != link_class) continue;
    cost.efficiency.value /= factor;
    for (LinkKnot& knot : cost.by_size) knot.efficiency /= factor;
  }
}

void scale_latency(Scenario& s, const std::string& link_class, double factor) {
  const auto known = s.profile.links.find(link_class);
  if (known != s.profile.links.end()) known->second.latency.value = known->second.latency.value * factor;
  for (CollectiveCost& cost : s.profile.collectives) {
    if (cost.link_class == link_class) cost.latency.value = cost.latency.value * factor;
  }
  const auto own = [&](Link& link) {
    if (link.link_class == link_class && link.latency) link.latency = *link.latency * factor;
  };
  own(s.cluster.intra_node);
  if (s.cluster.inter_node) own(*s.cluster.inter_node);
}

void scale_products(Scenario& s, double factor) {
  const auto slower = [&](auto& rate) {
    if (rate) rate = *rate / factor;
  };
  if (s.profile.gemm) s.profile.gemm->saturated.value = s.profile.gemm->saturated.value / factor;
  if (s.profile.gemm_fp8) s.profile.gemm_fp8->saturated.value = s.profile.gemm_fp8->saturated.value / factor;
  slower(s.cluster.gpu.bf16);
  slower(s.cluster.gpu.fp8);
  slower(s.cluster.gpu.fp32);
}

}  // namespace

bool Parameter::is_rate() const {
  switch (kind) {
    case ParameterKind::attention_forward:
    case ParameterKind::attention_backward:
    case ParameterKind::products:
    case ParameterKind::memory:
    case ParameterKind::merge:
    case ParameterKind::bandwidth:
      return true;
    default:
      return false;
  }
}

bool is_part_of_time(const Parameter& parameter) {
  return parameter.kind != ParameterKind::rank && parameter.kind != ParameterKind::block;
}

std::vector<Parameter> parameters_of(const Scenario& s) {
  std::vector<Parameter> all;
  const auto rate = [&](ParameterKind kind, const char* name, const char* key, double value, const char* unit) {
    Parameter p{kind, name, key};
    p.value = value;
    p.unit = unit;
    all.push_back(std::move(p));
  };
  const Profile& profile = s.profile;
  if (runs_forward(s.workload.phase)) {
    rate(ParameterKind::attention_forward, "forward attention FLOP rate", "profile.forward.saturated",
         in_flop_per_second(profile.forward.saturated.value), "flop_per_s");
  }
  if (runs_backward(s.workload.phase)) {
    rate(ParameterKind::attention_backward, "backward attention FLOP rate", "profile.backward.saturated",
         in_flop_per_second(profile.backward.saturated.value), "flop_per_s");
  }
  if (whole_model(s)) {
    const FlopRate products = profile.gemm         ? profile.gemm->saturated.value
                              : s.cluster.gpu.bf16 ? *s.cluster.gpu.bf16
                                                   : s.cluster.gpu.fp32.value_or(FlopRate{});
    rate(ParameterKind::products, "matrix product FLOP rate", "profile.gemm.saturated", in_flop_per_second(products),
         "flop_per_s");
    rate(ParameterKind::memory, "memory bandwidth", "profile.memory_bandwidth",
         in_bytes_per_second(profile.memory_bandwidth ? profile.memory_bandwidth->value
                                                      : s.cluster.gpu.memory_bandwidth),
         "bytes_per_s");
  }
  if (profile.merge_traffic.value > 0) {
    rate(ParameterKind::merge, "bandwidth of merges", "profile.merge_bandwidth",
         in_bytes_per_second(profile.merge_bandwidth.value), "bytes_per_s");
  }
  const auto cost = [&](ParameterKind kind, const char* name, const char* key, Duration value) {
    if (value > Duration{}) rate(kind, name, key, in_seconds(value), "s");
  };
  cost(ParameterKind::launch, "launch time of a kernel", "profile.launch", profile.launch.value);
  cost(ParameterKind::event_latency, "event latency", "profile.event_latency", profile.event_latency.value);
  cost(ParameterKind::issue, "host time of an operation", "profile.issue", profile.issue.value);
  add_links(s, all);
  return all;
}

Parameter rank_parameter(const Scenario& s, std::int64_t rank) {
  Parameter p{ParameterKind::rank, fmt::format("compute times of rank {}", rank), "noise.stragglers"};
  p.rank = rank;
  p.value = 1.0;
  for (const Straggler& straggler : s.noise.stragglers) {
    if (straggler.rank == rank) p.value *= straggler.slowdown;
  }
  return p;
}

Parameter block_parameter(const Scenario& s) {
  Parameter p{ParameterKind::block, "tokens of the sequence", "workload.tokens"};
  p.value = static_cast<double>(s.workload.tokens);
  p.unit = "tokens";
  return p;
}

Scenario scaled(const Scenario& scenario, const Parameter& parameter, double factor) {
  Scenario s = scenario;
  Profile& profile = s.profile;
  switch (parameter.kind) {
    case ParameterKind::attention_forward:
      profile.forward.saturated.value = profile.forward.saturated.value / factor;
      break;
    case ParameterKind::attention_backward:
      profile.backward.saturated.value = profile.backward.saturated.value / factor;
      break;
    case ParameterKind::products:
      scale_products(s, factor);
      break;
    case ParameterKind::memory:
      if (profile.memory_bandwidth) profile.memory_bandwidth->value = profile.memory_bandwidth->value / factor;
      s.cluster.gpu.memory_bandwidth = s.cluster.gpu.memory_bandwidth / factor;
      break;
    case ParameterKind::merge:
      profile.merge_bandwidth.value = profile.merge_bandwidth.value / factor;
      break;
    case ParameterKind::launch:
      profile.launch.value = profile.launch.value * factor;
      break;
    case ParameterKind::event_latency:
      profile.event_latency.value = profile.event_latency.value * factor;
      break;
    case ParameterKind::issue:
      profile.issue.value = profile.issue.value * factor;
      break;
    case ParameterKind::bandwidth:
      scale_bandwidth(profile, parameter.link_class, factor);
      break;
    case ParameterKind::latency:
      scale_latency(s, parameter.link_class, factor);
      break;
    case ParameterKind::rank:
      s.noise.stragglers.push_back({parameter.rank, factor});
      break;
    case ParameterKind::block:
      break;
  }
  return s;
}

bool acts_on(const Parameter& parameter, const Instruction& instruction) {
  const bool attends = instruction.attend != nullptr;
  const bool merges = instruction.merge != nullptr;
  const bool dense = instruction.timed && instruction.timed->dense != nullptr;
  const bool computes = attends || merges || dense;
  switch (parameter.kind) {
    case ParameterKind::attention_forward:
      return dense || (attends && instruction.pass() == Pass::forward);
    case ParameterKind::attention_backward:
      return attends && instruction.pass() == Pass::backward;
    case ParameterKind::products:
    case ParameterKind::memory:
      return dense;
    case ParameterKind::merge:
      return merges;
    case ParameterKind::launch:
    case ParameterKind::rank:
      return computes;
    case ParameterKind::bandwidth:
    case ParameterKind::latency:
      return !computes;
    case ParameterKind::event_latency:
    case ParameterKind::issue:
      return false;  // they are constants of waits and of the host's clock, no durations of operations
    case ParameterKind::block:
      break;
  }
  return true;
}

}  // namespace ringsim::sim
