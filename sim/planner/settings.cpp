// Plans as --set options of the scenario language.

#include "sim/planner/plan.hpp"

#include <fmt/format.h>

namespace ringsim::sim {
namespace {

class Settings {
 public:
  template <class T>
  void set(const char* key, const T& now, const T& before) {
    if (now != before) list_.push_back(fmt::format("{}={}", key, now));
  }
  void add(std::string one) { list_.push_back(std::move(one)); }
  [[nodiscard]] std::vector<std::string> take() { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

/// Keys that only one exchange has are refused under another: the whole mapping is written then, without them.
bool leaves_keys_behind(const Plan& plan, const Scenario& s) {
  const auto leaves = [&](Exchange exchange) { return s.ring.exchange == exchange && plan.ring.exchange != exchange; };
  return leaves(Exchange::both_ways) || leaves(Exchange::two_level);
}

void whole_ring(const Plan& plan, const Scenario& s, Settings& settings) {
  const RingChoice& ring = plan.ring;
  std::string text = fmt::format(
      "ring={{layout: {}, travels: {}, backward: {}, buffers: {}, transfer: {}, gradient_dtype: {}, exchange: {}",
      name_of(ring.layout), name_of(ring.travels), name_of(ring.backward), s.ring.buffers, name_of(s.ring.transfer),
      name_of(s.ring.gradient), name_of(ring.exchange));
  if (ring.exchange == Exchange::both_ways) text += fmt::format(", halves: {}", name_of(ring.halves));
  if (ring.exchange == Exchange::two_level && ring.inner > 0) text += fmt::format(", inner: {}", ring.inner);
  settings.add(text + "}");
}

void ring_settings(const Plan& plan, const Scenario& s, Settings& settings) {
  if (leaves_keys_behind(plan, s)) return whole_ring(plan, s, settings);
  const RingChoice& ring = plan.ring;
  settings.set("ring.layout", name_of(ring.layout), name_of(s.ring.layout));
  settings.set("ring.exchange", name_of(ring.exchange), name_of(s.ring.exchange));
  if (s.ring.choose_travels) {
    settings.add(fmt::format("ring.travels={}", name_of(ring.travels)));
  } else {
    settings.set("ring.travels", name_of(ring.travels), name_of(s.ring.travels));
  }
  settings.set("ring.backward", name_of(ring.backward), name_of(s.ring.backward));
  if (ring.exchange == Exchange::both_ways) {
    settings.set("ring.halves", name_of(ring.halves), name_of(s.ring.halves));
  }
  if (ring.exchange == Exchange::two_level && ring.inner > 0) settings.set("ring.inner", ring.inner, s.ring.inner);
}

}  // namespace

std::vector<std::string> settings(const Plan& plan, const Scenario& s) {
  Settings all;
  const Parallel& p = s.parallel;
  all.set("cluster.nodes", plan.nodes, s.cluster.nodes);
  all.set("parallel.tensor", plan.degrees.tensor, p.tensor);
  all.set("parallel.ulysses", plan.degrees.ulysses, p.ulysses);
  all.set("parallel.ring", plan.degrees.ring, p.ring);
  all.set("parallel.pipeline", plan.degrees.pipeline, p.pipeline);
  all.set("parallel.data", plan.degrees.data, p.data);
  all.set("parallel.expert", plan.expert, p.expert);
  all.set("parallel.order", format_order(plan.order), format_order(p.order));
  ring_settings(plan, s, all);
  all.set("training.recompute", name_of(plan.recompute), name_of(s.training.recompute));
  all.set("training.interleave", plan.interleave, s.training.interleave);
  all.set("workload.chunk", plan.chunk, s.workload.chunk);
  return all.take();
}

}  // namespace ringsim::sim
