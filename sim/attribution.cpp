#include "sim/attribution.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace ringsim::sim {
namespace {

Mix mix_of(const JoinedChanges& part) {
  Mix mix = 0;
  for (const std::size_t change : part.changes) mix |= Mix{1} << change;
  return mix;
}

// The changes of the parts whose bits are set in `set`.
Mix mix_of(const std::vector<JoinedChanges>& parts, Mix set) {
  Mix mix = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if ((set >> i & 1U) != 0) mix |= mix_of(parts[i]);
  }
  return mix;
}

void join(std::vector<JoinedChanges>& parts, std::size_t first, std::size_t second, const std::string& why) {
  JoinedChanges& into = parts[first];
  into.changes.insert(into.changes.end(), parts[second].changes.begin(), parts[second].changes.end());
  std::sort(into.changes.begin(), into.changes.end());
  if (into.why.empty()) into.why = why;
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(second));
}

// Of the two parts that most of the missing mixes separate, which must then be made together. True where there was a missing mix.
bool join_for_sets(std::vector<JoinedChanges>& parts, const std::function<std::string(Mix)>& obstacle) {
  const std::size_t n = parts.size();
  const Mix all = (Mix{1} << n) - 1;
  std::vector<std::pair<Mix, std::string>> missing;
  for (Mix set = 1; set < all; ++set) {
    std::string reason = obstacle(mix_of(parts, set));
    if (!reason.empty()) missing.emplace_back(set, std::move(reason));
  }
  if (missing.empty()) return false;
  std::size_t first = 0, second = 1;
  std::ptrdiff_t most = -1;
  const auto separates = [&missing](std::size_t at, std::size_t i, std::size_t j) {
    return (missing[at].first >> i & 1U) != (missing[at].first >> j & 1U);
  };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      std::ptrdiff_t separated = 0;
      for (std::size_t at = 0; at < missing.size(); ++at) separated += separates(at, i, j) ? 1 : 0;
      if (separated > most) {
        most = separated;
        first = i;
        second = j;
      }
    }
  }
  std::size_t at = 0;
  while (at + 1 < missing.size() && !separates(at, first, second)) ++at;
  join(parts, first, second, missing[at].second);
  return true;
}

// An order of all changes in which every mix of the two walks exists: the first parts alone, and all but the first. The next part is
// the first change that can be made by itself, else the first two or three that can be made together, else all that are left.
std::vector<JoinedChanges> walkable(std::size_t changes, const std::function<std::string(Mix)>& obstacle) {
  std::vector<JoinedChanges> parts;
  const Mix all = (Mix{1} << changes) - 1;
  Mix made = 0;
  const auto in_the_way_of = [&](Mix next) {
    if ((made | next) == all) return std::string();
    std::string reason = obstacle(made | next);
    return reason.empty() ? obstacle(all & ~(made | next)) : reason;
  };
  while (made != all) {
    JoinedChanges next;
    const auto try_it = [&](std::vector<std::size_t> which) {
      if (!next.changes.empty()) return;
      Mix mix = 0;
      for (const std::size_t change : which) mix |= Mix{1} << change;
      if ((mix & made) == 0 && in_the_way_of(mix).empty()) next.changes = std::move(which);
    };
    for (std::size_t i = 0; i < changes; ++i) try_it({i});
    for (std::size_t i = 0; i < changes; ++i) {
      for (std::size_t j = i + 1; j < changes; ++j) try_it({i, j});
    }
    for (std::size_t i = 0; i < changes; ++i) {
      for (std::size_t j = i + 1; j < changes; ++j) {
        for (std::size_t k = j + 1; k < changes; ++k) try_it({i, j, k});
      }
    }
    if (next.changes.empty()) {
      for (std::size_t i = 0; i < changes; ++i) {
        if ((made >> i & 1U) == 0) next.changes.push_back(i);
      }
    }
    if (next.changes.size() > 1) next.why = in_the_way_of(Mix{1} << next.changes.front());
    made |= mix_of(next);
    parts.push_back(std::move(next));
  }
  return parts;
}

double factorial(std::size_t n) {
  double product = 1;
  for (std::size_t i = 2; i <= n; ++i) product *= static_cast<double>(i);
  return product;
}

// So that the values sum, in their order, to the difference to the last bit wherever doubles allow it.
void settle_rounding(Attribution& a) {
  std::vector<std::size_t> by_size(a.parts.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t i, std::size_t j) {
    return std::abs(a.parts[i].value) > std::abs(a.parts[j].value);
  });
  const auto rest = [&a] {
    double sum = 0;
    for (const Contribution& part : a.parts) sum += part.value;
    return (a.to - a.from) - sum;
  };
  for (const std::size_t i : by_size) {
    for (int round = 0; round < 4 && rest() != 0.0; ++round) a.parts[i].value += rest();
  }
}

void in_every_order_of(const std::vector<JoinedChanges>& parts, const std::function<double(Mix)>& f, Attribution& a) {
  const std::size_t n = parts.size();
  std::vector<double> weight(n);
  for (std::size_t size = 0; size < n; ++size) weight[size] = factorial(size) * factorial(n - size - 1) / factorial(n);
  for (std::size_t i = 0; i < n; ++i) {
    Contribution& part = a.parts[i];
    bool first = true;
    for (Mix set = 0; set < Mix{1} << n; ++set) {
      if ((set >> i & 1U) != 0) continue;
      const double brought = f(mix_of(parts, set | Mix{1} << i)) - f(mix_of(parts, set));
      part.value += weight[static_cast<std::size_t>(std::popcount(set))] * brought;
      part.least = first ? brought : std::min(part.least, brought);
      part.most = first ? brought : std::max(part.most, brought);
      first = false;
    }
  }
}

void in_two_walks(const std::vector<JoinedChanges>& parts, const std::function<double(Mix)>& f, Attribution& a) {
  const Mix all = (Mix{1} << parts.size()) - 1;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Mix before = (Mix{1} << i) - 1;
    const Mix after = before | Mix{1} << i;
    const double there = f(mix_of(parts, after)) - f(mix_of(parts, before));
    const double back = f(mix_of(parts, all & ~before)) - f(mix_of(parts, all & ~after));
    a.parts[i].value = (there + back) / 2;
    a.parts[i].least = std::min(there, back);
    a.parts[i].most = std::max(there, back);
  }
}

}  // namespace

std::vector<JoinedChanges> joined_changes(std::size_t changes, const std::function<std::string(Mix)>& obstacle,
                                          std::size_t in_every_order) {
  std::vector<JoinedChanges> parts;
  if (changes > in_every_order) {
    parts = walkable(changes, obstacle);
  } else {
    for (std::size_t change = 0; change < changes; ++change) parts.push_back({{change}, {}});
  }
  // Few are looked at in every order, also those that are few because they were joined.
  while (parts.size() > 1 && parts.size() <= in_every_order && join_for_sets(parts, obstacle)) {
  }
  return parts;
}

Attribution attribute(const std::vector<JoinedChanges>& parts, const std::function<double(Mix)>& value,
                      std::size_t in_every_order) {
  std::map<Mix, double> known;
  const std::function<double(Mix)> f = [&](Mix mix) {
    const auto found = known.find(mix);
    return found != known.end() ? found->second : known.emplace(mix, value(mix)).first->second;
  };
  Attribution a;
  a.from = f(0);
  a.to = f(mix_of(parts, (Mix{1} << parts.size()) - 1));
  a.every_order = parts.size() <= in_every_order;
  for (const JoinedChanges& part : parts) a.parts.push_back({part, 0, 0, 0});
  if (a.every_order) {
    in_every_order_of(parts, f, a);
  } else {
    in_two_walks(parts, f, a);
  }
  settle_rounding(a);
  return a;
}

}  // namespace ringsim::sim
