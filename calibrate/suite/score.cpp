#include "calibrate/suite/suite.hpp"
#include "models/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace ringsim::calibrate {
namespace {

using Group = std::vector<const RowResult*>;

// Rows that were measured alike may be predicted in either order.
bool in_order(const Group& by_prediction) {
  return std::is_sorted(by_prediction.begin(), by_prediction.end(),
                        [](const RowResult* a, const RowResult* b) { return a->measured_s < b->measured_s; });
}

void add_group(Group group, std::size_t variant, SuiteScore& score) {
  if (group.size() < 2) return;
  std::stable_sort(group.begin(), group.end(), [&](const RowResult* a, const RowResult* b) {
    return a->predicted_s[variant] < b->predicted_s[variant];
  });
  const double fastest = (*std::min_element(group.begin(), group.end(), [](const RowResult* a, const RowResult* b) {
                           return a->measured_s < b->measured_s;
                         }))->measured_s;
  ++score.groups;
  if (group.front()->measured_s <= fastest) ++score.winners;
  if (in_order(group)) ++score.orders;
}

}  // namespace

SuiteScore score_of(const std::vector<RowResult>& rows, std::size_t variant) {
  SuiteScore score;
  std::vector<double> sizes;
  std::map<std::string, Group> groups;
  for (const RowResult& row : rows) {
    if (!row.row.scored()) continue;
    const double error = row.error(variant);
    sizes.push_back(std::abs(error));
    score.bias += error;
    if (score.worst_row.empty() || std::abs(error) > std::abs(score.worst)) {
      score.worst = error;
      score.worst_row = row.row.id;
    }
    if (!row.row.group.empty()) groups[row.row.group].push_back(&row);
  }
  score.rows = static_cast<std::int64_t>(sizes.size());
  if (sizes.empty()) return score;
  score.bias /= static_cast<double>(sizes.size());
  std::sort(sizes.begin(), sizes.end());
  score.median = quantile_of_sorted(sizes, 0.5);
  score.p90 = quantile_of_sorted(sizes, 0.9);
  for (auto& [name, group] : groups) add_group(std::move(group), variant, score);
  return score;
}

}  // namespace ringsim::calibrate
