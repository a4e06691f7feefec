#include "sim/critical/cycle_ratio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace ringsim::sim {
namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

class PolicyIteration {
 public:
  PolicyIteration(std::int32_t nodes, const std::vector<CycleArc>& arcs)
      : arcs_(arcs), policy_(static_cast<std::size_t>(nodes), none), eta_(policy_.size()), ahead_(policy_.size()) {
    drop_what_nothing_feeds();
  }

  std::optional<CycleRatio> run() {
    // The first policy: the heaviest arc into every node.
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      if (!alive_[tail(a)] || !alive_[head(a)]) continue;
      std::size_t& chosen = policy_[head(a)];
      if (chosen == none || arcs_[chosen].weight < arcs_[a].weight) chosen = a;
    }
    if (std::none_of(alive_.begin(), alive_.end(), [](char alive) { return alive != 0; })) return std::nullopt;
    std::size_t iterations = 0;
    // Ratios never fall. Sums that differ by rounding alone could change policies for ever at the same ratio.
    constexpr std::size_t patience = 64;
    double largest = -std::numeric_limits<double>::infinity();
    std::size_t risen = 0;
    do {
      evaluate();
      ++iterations;
      double now = -std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < policy_.size(); ++i) now = alive_[i] ? std::max(now, eta_[i]) : now;
      if (now > largest + rounding_) risen = iterations;
      largest = std::max(largest, now);
      rounding_ = 1e-14 * std::abs(largest);
    } while (improve() && iterations < risen + patience);
    CycleRatio best;
    best.iterations = iterations;
    std::size_t node = none;
    for (std::size_t i = 0; i < policy_.size(); ++i) {
      if (alive_[i] && (node == none || eta_[i] > eta_[node])) node = i;
    }
    best.ratio = eta_[node];
    // Back along the policy until a node comes again: from there on it is the cycle.
    std::vector<char> seen(policy_.size(), 0);
    while (seen[node] == 0) {
      seen[node] = 1;
      node = tail(policy_[node]);
    }
    const std::size_t first = node;
    do {
      best.arcs.push_back(policy_[node]);
      node = tail(policy_[node]);
    } while (node != first);
    std::reverse(best.arcs.begin(), best.arcs.end());
    return best;
  }

 private:
  [[nodiscard]] std::size_t tail(std::size_t arc) const { return static_cast<std::size_t>(arcs_[arc].from); }
  [[nodiscard]] std::size_t head(std::size_t arc) const { return static_cast<std::size_t>(arcs_[arc].to); }

  // A node without an arc into it is on no cycle, nor are those that only such ones lead to.
  void drop_what_nothing_feeds() {
    alive_.assign(policy_.size(), 1);
    std::vector<std::int32_t> into(policy_.size(), 0);
    std::vector<std::vector<std::size_t>> out(policy_.size());
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      ++into[head(a)];
      out[tail(a)].push_back(head(a));
    }
    std::vector<std::size_t> dead;
    for (std::size_t i = 0; i < into.size(); ++i) {
      if (into[i] == 0) dead.push_back(i);
    }
    while (!dead.empty()) {
      const std::size_t i = dead.back();
      dead.pop_back();
      alive_[i] = 0;
      for (const std::size_t to : out[i]) {
        if (--into[to] == 0) dead.push_back(to);
      }
    }
  }

  // η and v of every node under the policy. The graph of a policy is a cycle per component, with trees that lead away from it.
  void evaluate() {
    std::vector<char> state(policy_.size(), 0);  // 0 unseen, 1 on the way, 2 known
    std::vector<std::size_t> way;
    for (std::size_t start = 0; start < policy_.size(); ++start) {
      if (!alive_[start] || state[start] != 0) continue;
      way.clear();
      std::size_t node = start;
      while (state[node] == 0) {
        state[node] = 1;
        way.push_back(node);
        node = tail(policy_[node]);
      }
      if (state[node] == 1) close_cycle(node, way);
      // The way back out: every node after its tail.
      for (std::size_t i = way.size(); i-- > 0;) {
        const std::size_t n = way[i];
        if (n == node && state[n] == 1) {
          state[n] = 2;  // where v is 0: set by close_cycle
          continue;
        }
        const CycleArc& arc = arcs_[policy_[n]];
        eta_[n] = eta_[tail(policy_[n])];
        ahead_[n] = ahead_[tail(policy_[n])] + arc.weight - eta_[n] * arc.tokens;
        state[n] = 2;
      }
    }
  }

  void close_cycle(std::size_t node, const std::vector<std::size_t>& way) {
    double weight = 0;
    std::int64_t tokens = 0;
    for (std::size_t i = way.size(); i-- > 0;) {
      weight += arcs_[policy_[way[i]]].weight;
      tokens += arcs_[policy_[way[i]]].tokens;
      if (way[i] == node) break;
    }
    if (tokens == 0) throw std::logic_error("a cycle without tokens");
    eta_[node] = weight / static_cast<double>(tokens);
    ahead_[node] = 0;
  }

  bool improve() {
    bool better = false;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      if (!alive_[tail(a)] || !alive_[head(a)]) continue;
      if (eta_[tail(a)] > eta_[head(a)] + rounding_) {
        if (eta_[tail(a)] > eta_[tail(policy_[head(a)])]) {
          policy_[head(a)] = a;
          better = true;
        }
      }
    }
    if (better) return true;
    std::vector<double> best = ahead_;
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      if (!alive_[tail(a)] || !alive_[head(a)]) continue;
      const std::size_t to = head(a);
      if (std::abs(eta_[tail(a)] - eta_[to]) > rounding_) continue;
      const double through = ahead_[tail(a)] + arcs_[a].weight - eta_[to] * arcs_[a].tokens;
      if (through > best[to] + rounding_) {
        best[to] = through;
        policy_[to] = a;
        better = true;
      }
    }
    return better;
  }

  const std::vector<CycleArc>& arcs_;
  std::vector<std::size_t> policy_;  // arc into every node
  std::vector<char> alive_;
  std::vector<double> eta_;
  std::vector<double> ahead_;
  double rounding_ = 0;
};

}  // namespace

std::optional<CycleRatio> maximum_cycle_ratio(std::int32_t nodes, const std::vector<CycleArc>& arcs) {
  return PolicyIteration(nodes, arcs).run();
}

}  // namespace ringsim::sim
