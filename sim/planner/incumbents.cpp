#include "sim/planner/incumbents.hpp"

#include <algorithm>
#include <tuple>

namespace ringsim::sim {
namespace {

bool faster(const Incumbent& a, const Incumbent& b) {
  if (a.time_s != b.time_s) return a.time_s < b.time_s;
  return simplicity(a.plan) < simplicity(b.plan);
}

}  // namespace

bool better(const Incumbent& a, const Incumbent& b) {
  const auto key = [](const Incumbent& one) { return std::tuple(one.value, one.time_s, one.plan.gpus()); };
  if (key(a) != key(b)) return key(a) < key(b);
  return simplicity(a.plan) < simplicity(b.plan);
}

void Incumbents::add(const Incumbent& one) {
  if (most_time_s_ && one.time_s > *most_time_s_) return;
  const auto [known, added] = of_degrees_.try_emplace(one.plan.degrees, one);
  if (!added && better(one, known->second)) known->second = one;
  const auto [same, first] = of_gpus_.try_emplace(one.plan.gpus(), one);
  if (!first && faster(one, same->second)) same->second = one;
}

bool Incumbents::useless(const Plan& plan, double least_value, double least_time_s) const {
  if (most_time_s_ && least_time_s > *most_time_s_) return true;
  const bool off_front = std::any_of(of_gpus_.begin(), of_gpus_.end(), [&](const auto& known) {
    return known.first <= plan.gpus() && known.second.time_s < least_time_s;
  });
  if (!off_front) return false;
  const auto beats = [&](const Incumbent& one) {
    return std::tie(one.value, one.time_s) < std::tie(least_value, least_time_s);
  };
  const auto own = of_degrees_.find(plan.degrees);
  if (own != of_degrees_.end() && beats(own->second)) return true;
  const auto ahead =
      std::count_if(of_degrees_.begin(), of_degrees_.end(), [&](const auto& known) { return beats(known.second); });
  return static_cast<std::size_t>(ahead) >= top_;
}

std::vector<Incumbent> Incumbents::best() const {
  std::vector<Incumbent> list;
  for (const auto& [degrees, one] : of_degrees_) list.push_back(one);
  std::sort(list.begin(), list.end(), better);
  if (list.size() > top_) list.resize(top_);
  return list;
}

std::vector<Incumbent> Incumbents::front() const {
  std::vector<Incumbent> list;
  for (const auto& [gpus, one] : of_gpus_) {
    if (list.empty() || one.time_s < list.back().time_s) list.push_back(one);
  }
  return list;
}

}  // namespace ringsim::sim
