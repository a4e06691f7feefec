// No run of a plan is faster than its lower bounds: what a search leaves out by them is rightly left out.
#include "models/error.hpp"
#include "models/job_network.hpp"
#include "scenarios/reader.hpp"
#include "sim/planner/bound.hpp"
#include "sim/planner/evaluate.hpp"
#include "sim/planner/plan.hpp"
#include "sim/planner/space.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {
namespace {

template <class T>
T one_of(const std::vector<T>& list) {
  return *rc::gen::elementOf(list);
}

/// A model of 6 layers on up to 4 nodes of 4 GPUs: dense or a mixture, sliding or not, by a calibrated profile with a contest for SMs,
/// one with interference, or the data sheet.
Scenario any_scenario() {
  const std::string phase = one_of<std::string>({"prefill", "prefill", "train", "decode", "backward"});
  const bool whole = phase != "backward" && *rc::gen::arbitrary<bool>();
  const bool mixture = *rc::gen::arbitrary<bool>();
  const bool sliding = *rc::gen::arbitrary<bool>();
  const std::string mlp = mixture ? "{intermediate: 512, experts: 8, experts_per_token: 2, expert_intermediate: 256}"
                                  : "{intermediate: 2048}";
  const std::string window = sliding ? ", sliding_window: 512, sliding_pattern: 2" : "";
  const std::string profile = one_of<std::string>({"h100-sxm", "a800-sxm", "datasheet"});
  const std::string cluster = profile == "a800-sxm" ? "a800-node-200g" : "dgx-h100";
  const std::int64_t tokens = 256 * *rc::gen::inRange<std::int64_t>(1, 129);
  std::string text = fmt::format(
      "name: any\n"
      "model: {{name: m, layers: 6, hidden: 512, heads: 16, kv_heads: 4, head_dim: 64, feed_forward: {}, vocabulary: "
      "32000{}}}\n"
      "workload: {{phase: {}, tokens: {}, batch: 4, causal: {}, scope: {}{}}}\n"
      "cluster: {{use: {}, nodes: 4, gpus_per_node: 4}}\n"
      "profile: {}\n",
      mlp, window, phase, tokens, *rc::gen::arbitrary<bool>(), whole ? "model" : "attention",
      phase == "prefill" && *rc::gen::arbitrary<bool>() ? ", cached: 4096" : "", cluster, profile);
  if (*rc::gen::arbitrary<bool>()) text += "noise: {stragglers: [{rank: 0, slowdown: 1.3}]}\n";
  return scenarios::read_scenario_text(text, "any.yaml");
}

Plan any_plan(const Scenario& s) {
  Plan plan;
  const std::vector<std::int64_t> gpus = gpu_counts(16, s.cluster.gpus_per_node);
  plan.degrees = one_of(degree_sets(one_of(gpus)));
  plan.expert = one_of(expert_degrees(s, plan.degrees));
  plan.order = one_of(orders(s, plan.degrees));
  plan.ring = one_of(ring_choices(s, plan.degrees));
  plan.recompute = one_of(recomputations(s));
  const Chunks cut = chunks(s);
  plan.chunk = one_of(*rc::gen::arbitrary<bool>() && !cut.where_needed.empty() ? cut.where_needed : cut.always);
  plan.nodes = s.cluster.nodes;
  return plan;
}

RC_GTEST_PROP(PlanBound, NoRunIsFasterThanItsBounds, ()) {
  const Scenario base = any_scenario();
  Scenario s = base;
  s.ring.buffers = *rc::gen::inRange<std::int64_t>(2, 4);
  const Plan plan = any_plan(base);
  put(plan, s);
  if (!allows(s, plan.degrees) || !divides(s)) RC_DISCARD("not legal");
  double time_s = 0;
  JobNetwork network;
  std::optional<Machine> machine;
  try {
    check(s);
    network = job_network(s.parallel, s.cluster, s.noise, s.ring);
    machine = machine_of(s, network);
    time_s = evaluate(s, network, false, 0).time_s;
  } catch (const Error&) {
    RC_DISCARD("not legal");
  }
  const PlanBound bound(s);
  const double anywhere_s = time_of(s, bound.anywhere().time_s);
  const double placed_s = time_of(s, bound.placed(s, *machine).time_s);
  RC_ASSERT(anywhere_s <= time_s);
  RC_ASSERT(placed_s <= time_s);
  // A bound of nothing would hold as well: of a whole model it has at least its products.
  if (s.workload.scope == Scope::model) RC_ASSERT(placed_s > 0);
}

}  // namespace
}  // namespace ringsim::sim
