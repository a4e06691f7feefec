#include "sim/planner/space.hpp"

#include "models/legality.hpp"

#include <algorithm>
#include <numeric>
#include <variant>

namespace ringsim::sim {
namespace {

std::vector<std::int64_t> divisors_of(std::int64_t n) {
  std::vector<std::int64_t> all;
  for (std::int64_t d = 1; d <= n; ++d) {
    if (n % d == 0) all.push_back(d);
  }
  return all;
}

// Nodes up to 16, then multiples of 2, 4, ... of which an octave has eight.
std::int64_t next_node_count(std::int64_t nodes) {
  std::int64_t step = 1;
  while (nodes >= 16 * step) step *= 2;
  return nodes + step;
}

bool pass_divides(const Scenario& s, std::int64_t tokens, const TokenUnit& unit) {
  if (tokens < s.parallel.ring || tokens % unit.tokens != 0) return false;
  return s.ring.layout != Layout::zigzag || s.parallel.ring == 1 || tokens % (2 * s.parallel.ring) == 0;
}

bool alike_inside(const Cluster& cluster) {
  return cluster.wiring.nvswitch && !std::holds_alternative<Torus>(cluster.fabric);
}

}  // namespace

std::vector<std::int64_t> gpu_counts(std::int64_t most, std::int64_t gpus_per_node) {
  std::vector<std::int64_t> counts;
  for (const std::int64_t d : divisors_of(gpus_per_node)) {
    if (d <= most) counts.push_back(d);
  }
  for (std::int64_t nodes = 2; nodes * gpus_per_node <= most; nodes = next_node_count(nodes)) {
    counts.push_back(nodes * gpus_per_node);
  }
  if (counts.back() != most) counts.push_back(most);
  return counts;
}

std::vector<Degrees> degree_sets(std::int64_t gpus) {
  std::vector<Degrees> sets;
  for (const std::int64_t t : divisors_of(gpus)) {
    for (const std::int64_t u : divisors_of(gpus / t)) {
      for (const std::int64_t r : divisors_of(gpus / t / u)) {
        for (const std::int64_t p : divisors_of(gpus / t / u / r)) sets.push_back({t, u, r, p, gpus / t / u / r / p});
      }
    }
  }
  return sets;
}

bool allows(const Scenario& s, const Degrees& d) {
  const Transformer& m = s.model;
  if (m.heads % d.tensor != 0) return false;
  if (!m.latent && m.kv_heads % d.tensor != 0 && d.tensor % m.kv_heads != 0) return false;
  if (d.ulysses > 1) {
    const std::vector<std::int64_t> legal = legal_ulysses(m, d.tensor, s.parallel.replicate_kv);
    if (std::find(legal.begin(), legal.end(), d.ulysses) == legal.end()) return false;
  }
  if (s.workload.batch % d.data != 0) return false;
  if (d.pipeline == 1) return true;
  return s.workload.scope == Scope::model && d.pipeline * s.training.interleave <= m.layers;
}

bool divides(const Scenario& s) {
  const Workload& w = s.workload;
  const TokenUnit unit = sequence_unit(s);
  if (!pass_divides(s, w.tokens, unit)) return false;
  if (w.chunk > 0 && w.chunk < w.tokens) {
    const std::int64_t rest = w.tokens % w.chunk;
    if (!pass_divides(s, w.chunk, unit) || (rest > 0 && !pass_divides(s, rest, unit))) return false;
  }
  return w.cached == 0 || pass_divides(s, w.cached, unit);
}

std::vector<std::int64_t> expert_degrees(const Scenario& s, const Degrees& d) {
  const std::int64_t experts = s.model.feed_forward ? s.model.feed_forward->experts : 0;
  if (experts == 0) return {1};
  return divisors_of(std::gcd(experts, d.ulysses * d.ring * d.data));
}

std::vector<std::array<Axis, 5>> orders(const Scenario& s, const Degrees& d) {
  const std::array<Axis, 5>& own = s.parallel.order;
  std::vector<Axis> active;
  std::vector<Axis> rest;
  for (const Axis axis : own) (d.degree(axis) > 1 ? active : rest).push_back(axis);
  std::vector<std::array<Axis, 5>> all = {own};
  if (active.size() < 2 || (d.product() <= s.cluster.gpus_per_node && alike_inside(s.cluster))) return all;
  const std::vector<Axis> first = active;
  std::sort(active.begin(), active.end());
  std::sort(rest.begin(), rest.end());
  do {
    if (active == first) continue;
    std::array<Axis, 5>& order = all.emplace_back();
    std::copy(rest.begin(), rest.end(), std::copy(active.begin(), active.end(), order.begin()));
  } while (std::next_permutation(active.begin(), active.end()));
  return all;
}

std::vector<RingChoice> ring_choices(const Scenario& s, const Degrees& d) {
  RingChoice own = plan_of(s).ring;
  own.inner = 0;
  if (own.exchange == Exchange::both_ways || own.exchange == Exchange::two_level) own.exchange = Exchange::one_way;
  const bool decode = s.workload.phase == Phase::decode;
  if (d.ring == 1 || decode) {
    RingChoice plain = own;
    plain.exchange = Exchange::one_way;
    std::vector<RingChoice> choices = {plain};
    plain.layout = Layout::contiguous;  // of a decode step: which lengths are legal
    if (d.ring > 1 && own.layout != Layout::contiguous) choices.push_back(plain);
    return choices;
  }
  std::vector<Layout> layouts = {own.layout};
  for (const Layout layout : {Layout::zigzag, Layout::striped, Layout::contiguous}) {
    if (layout != own.layout && (s.workload.causal || layout == Layout::contiguous)) layouts.push_back(layout);
  }
  const bool forward = runs_forward(s.workload.phase);
  const bool backward = runs_backward(s.workload.phase);
  std::vector<RingChoice> choices;
  for (const Layout layout : layouts) {
    RingChoice choice;
    choice.layout = layout;
    for (const Rotation travels : {Rotation::kv, Rotation::q}) {
      if (!forward && travels == Rotation::q) continue;
      for (const Rotation back : {Rotation::kv, Rotation::q}) {
        if (!backward && back == Rotation::q) continue;
        choice.travels = travels;
        choice.backward = back;
        choices.push_back(choice);
      }
    }
    choice.travels = choice.backward = Rotation::kv;
    choice.exchange = Exchange::both_ways;
    choices.push_back(choice);
    choice.halves = Halves::tokens;
    choices.push_back(choice);
    choice.halves = Halves::heads;
    choice.exchange = Exchange::two_level;
    choices.push_back(choice);
    if (s.ring.inner > 0) {
      choice.inner = s.ring.inner;
      choices.push_back(choice);
      choice.inner = 0;
    }
    choice.exchange = Exchange::all_gather;
    choices.push_back(choice);
  }
  return choices;
}

std::vector<Recompute> recomputations(const Scenario& s) {
  if (s.workload.phase != Phase::train || s.workload.scope != Scope::model) return {s.training.recompute};
  return {Recompute::none, Recompute::selective, Recompute::full};
}

Chunks chunks(const Scenario& s) {
  Chunks all;
  all.always.push_back(0);
  if (s.workload.phase != Phase::prefill) return all;
  if (s.workload.chunk > 0) all.always.push_back(s.workload.chunk);
  constexpr std::int64_t least = 4096;
  for (const std::int64_t parts : {2, 4, 8, 16, 32}) {
    const std::int64_t chunk = s.workload.tokens / parts;
    if (chunk >= least && s.workload.tokens % parts == 0 && chunk != s.workload.chunk)
      all.where_needed.push_back(chunk);
  }
  return all;
}

}  // namespace ringsim::sim
