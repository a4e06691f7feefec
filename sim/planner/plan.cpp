#include "sim/planner/plan.hpp"

#include "models/ring_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace ringsim::sim {

std::int64_t Degrees::degree(Axis axis) const {
  Parallel parallel;
  parallel.tensor = tensor;
  parallel.ulysses = ulysses;
  parallel.ring = ring;
  parallel.pipeline = pipeline;
  parallel.data = data;
  return parallel.degree(axis);
}

Plan plan_of(const Scenario& s) {
  const Parallel& p = s.parallel;
  Plan plan;
  plan.degrees = {p.tensor, p.ulysses, p.ring, p.pipeline, p.data};
  plan.expert = p.expert;
  plan.order = p.order;
  plan.ring = {s.ring.layout, s.ring.exchange, s.ring.travels, s.ring.backward, s.ring.halves, s.ring.inner};
  if (s.ring.choose_travels) plan.ring.travels = ring_shape(s).travels;
  plan.recompute = s.training.recompute;
  plan.chunk = s.workload.chunk;
  plan.interleave = s.training.interleave;
  plan.nodes = s.cluster.nodes;
  return plan;
}

void put(const Plan& plan, Scenario& s) {
  s.parallel.tensor = plan.degrees.tensor;
  s.parallel.ulysses = plan.degrees.ulysses;
  s.parallel.ring = plan.degrees.ring;
  s.parallel.pipeline = plan.degrees.pipeline;
  s.parallel.data = plan.degrees.data;
  s.parallel.expert = plan.expert;
  s.parallel.order = plan.order;
  s.parallel.gpus.clear();
  s.ring.layout = plan.ring.layout;
  s.ring.exchange = plan.ring.exchange;
  s.ring.travels = plan.ring.travels;
  s.ring.choose_travels = false;
  s.ring.backward = plan.ring.backward;
  s.ring.halves = plan.ring.halves;
  s.ring.inner = plan.ring.inner;
  s.training.recompute = plan.recompute;
  s.training.interleave = plan.interleave;
  s.workload.chunk = plan.chunk;
  s.cluster.nodes = plan.nodes;
}

std::int64_t nodes_for(std::int64_t gpus, const Scenario& s) {
  const std::int64_t filled = (gpus + s.cluster.gpus_per_node - 1) / s.cluster.gpus_per_node;
  const bool can_be_cut = std::holds_alternative<FlatSwitch>(s.cluster.fabric) && s.noise.failures.empty() &&
                          s.noise.background.empty() && s.noise.slow_links.empty();
  return can_be_cut ? filled : std::max(filled, s.cluster.nodes);
}

Simplicity simplicity(const Plan& plan) {
  const Degrees& d = plan.degrees;
  std::int64_t axes = 0;
  for (const Axis axis : all_axes) axes += d.degree(axis) > 1 ? 1 : 0;
  Simplicity key = {axes,
                    d.pipeline,
                    d.tensor,
                    d.ulysses,
                    plan.expert,
                    d.ring,
                    static_cast<std::int64_t>(plan.ring.exchange),
                    static_cast<std::int64_t>(plan.ring.travels),
                    static_cast<std::int64_t>(plan.ring.backward),
                    static_cast<std::int64_t>(plan.ring.halves),
                    2 - static_cast<std::int64_t>(plan.ring.layout),
                    plan.ring.inner,
                    plan.chunk == 0 ? 0 : 1,
                    -plan.chunk,
                    static_cast<std::int64_t>(plan.recompute)};
  for (const Axis axis : plan.order) key.push_back(static_cast<std::int64_t>(axis));
  return key;
}

std::string degrees_text(const Plan& plan) {
  std::string text;
  for (const Axis axis : all_axes) {
    if (plan.degrees.degree(axis) == 1) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : " x ", name_of(axis), plan.degrees.degree(axis));
  }
  if (text.empty()) text = "1 GPU";
  if (plan.expert > 1) text += fmt::format(", expert {}", plan.expert);
  return text;
}

std::string variant_text(const Plan& plan, const Scenario& scenario) {
  std::string text;
  const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  const bool decode = scenario.workload.phase == Phase::decode;
  if (plan.degrees.ring > 1 && !decode) {
    const RingChoice& ring = plan.ring;
    add(std::string(name_of(ring.layout)));
    const auto name = [](Rotation rotation) { return rotation == Rotation::kv ? "K/V" : "Q"; };
    switch (ring.exchange) {
      case Exchange::one_way: {
        const bool forward = runs_forward(scenario.workload.phase);
        const bool backward = runs_backward(scenario.workload.phase);
        std::string what = forward ? name(ring.travels) : name(ring.backward);
        if (forward && backward && ring.travels != ring.backward) {
          what += fmt::format(" (backward {})", name(ring.backward));
        }
        add(what + " one-way");
        break;
      }
      case Exchange::both_ways:
        add(fmt::format("both-ways by {}", name_of(ring.halves)));
        break;
      case Exchange::two_level:
        add(ring.inner == 0 ? "two-level" : fmt::format("two-level, inner rings of {}", ring.inner));
        break;
      case Exchange::all_gather:
        add("all-gather");
        break;
    }
  }
  std::string order;
  std::int64_t axes = 0;
  for (const Axis axis : plan.order) {
    if (plan.degrees.degree(axis) == 1) continue;
    ++axes;
    order += fmt::format("{}{}", order.empty() ? "" : "-", short_name_of(axis));
  }
  if (axes > 1 && plan.gpus() > scenario.cluster.gpus_per_node) add("order " + order);
  if (plan.recompute != Recompute::none && scenario.workload.phase == Phase::train) {
    add(fmt::format("recompute {}", name_of(plan.recompute)));
  }
  if (plan.chunk > 0) add(fmt::format("chunks of {} tokens", plan.chunk));
  return text;
}

}  // namespace ringsim::sim
