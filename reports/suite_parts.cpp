#include "reports/suite_parts.hpp"

#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ringsim::reports {
namespace {

using calibrate::SuiteScore;

/// "5 %", "7.5 %": targets are round numbers.
std::string round_percent(double share) { return fmt::format("{:g} %", std::round(share * 1e4) / 1e2); }

}  // namespace

std::string of_groups(std::int64_t right, std::int64_t groups) { return fmt::format("{} of {}", right, groups); }

std::string target_text(const PublishedTarget& target) {
  std::vector<std::string> parts;
  if (target.median) parts.push_back("median " + round_percent(*target.median));
  if (target.p90) parts.push_back("p90 " + round_percent(*target.p90));
  if (target.worst) parts.push_back("every row " + round_percent(*target.worst));
  if (target.winners) parts.push_back(fmt::format("fastest right in {}", *target.winners));
  if (target.orders) parts.push_back(fmt::format("order right in {}", *target.orders));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<std::string> missed_targets(const PublishedTarget& target, const SuiteScore& score) {
  std::vector<std::string> missed;
  if (target.median && score.median > *target.median) missed.emplace_back("median");
  if (target.p90 && score.p90 > *target.p90) missed.emplace_back("p90");
  if (target.worst && std::abs(score.worst) > *target.worst) missed.emplace_back("worst row");
  if (target.winners && score.winners < *target.winners) missed.emplace_back("fastest");
  if (target.orders && score.orders < *target.orders) missed.emplace_back("order");
  return missed;
}

std::string target_verdict(const PublishedTarget& target, const SuiteScore& score) {
  const std::string text = target_text(target);
  if (text.empty()) return "none";
  if (score.rows == 0) return text;
  const std::vector<std::string> missed = missed_targets(target, score);
  return text + (missed.empty() ? ": met" : fmt::format(": missed ({})", fmt::join(missed, ", ")));
}

Grid suite_summary_grid(const calibrate::SuiteResult& result) {
  Grid grid{{{"set", Align::left},
             {"scored", Align::right},
             {"shown", Align::right},
             {"median", Align::right},
             {"p90", Align::right},
             {"worst", Align::right},
             {"bias", Align::right},
             {"target", Align::left}},
            {}};
  for (const calibrate::SetResult& set : result.sets) {
    const SuiteScore& score = set.scores.front();
    const auto shown = static_cast<std::int64_t>(set.rows.size()) - score.rows;
    std::vector<std::string> cells = {set.about.name, human_count(score.rows), human_count(shown)};
    if (score.rows > 0) {
      cells.insert(cells.end(), {human_percent(score.median), human_percent(score.p90),
                                 human_signed_percent(score.worst), human_signed_percent(score.bias)});
    } else {
      cells.insert(cells.end(), 4, "-");
    }
    cells.push_back(target_verdict(set.about.target, score));
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

Grid suite_group_grid(const calibrate::SuiteResult& result) {
  Grid grid{{{"set", Align::left}, {"fastest right in", Align::right}, {"order right in", Align::right}}, {}};
  for (const calibrate::SetResult& set : result.sets) {
    const SuiteScore& score = set.scores.front();
    if (score.groups == 0) continue;
    grid.rows.push_back(
        {set.about.name, of_groups(score.winners, score.groups), of_groups(score.orders, score.groups)});
  }
  return grid;
}

Grid suite_variant_grid(const calibrate::SuiteResult& result) {
  Grid grid{{{"median / p90 of the error", Align::left}}, {}};
  for (const calibrate::ModelVariant& variant : result.variants) {
    grid.columns.push_back({std::string(variant.title), Align::right});
  }
  for (const calibrate::SetResult& set : result.sets) {
    if (set.scores.front().rows == 0) continue;
    std::vector<std::string> cells = {set.about.name};
    for (const SuiteScore& score : set.scores) {
      cells.push_back(human_percent(score.median) + " / " + human_percent(score.p90));
    }
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

Grid suite_row_grid(const calibrate::SetResult& set, const calibrate::SuiteResult& result, bool variants) {
  const std::size_t last = variants ? result.variants.size() : 1;
  Grid grid{{{"row", Align::left},
             {"published", Align::right},
             {"measured", Align::right},
             {"predicted", Align::right},
             {"error", Align::right}},
            {}};
  for (std::size_t v = 1; v < last; ++v) {
    grid.columns.push_back({std::string(result.variants[v].title), Align::right});
  }
  grid.columns.push_back({"not scored", Align::left});
  for (const calibrate::RowResult& row : set.rows) {
    std::vector<std::string> cells = {
        row.row.id, fmt::format("{} {}", human_number(row.row.measured), name_of(row.row.unit)),
        human_time(row.measured_s), human_time(row.predicted_s.front()), human_signed_percent(row.error())};
    for (std::size_t v = 1; v < last; ++v) cells.push_back(human_signed_percent(row.error(v)));
    cells.push_back(row.row.not_scored);
    grid.rows.push_back(std::move(cells));
  }
  return grid;
}

std::string suite_answer(const calibrate::SuiteResult& result) {
  std::int64_t rows = 0;
  std::size_t missed = 0, targets = 0;
  for (const calibrate::SetResult& set : result.sets) {
    const calibrate::SuiteScore& score = set.scores.front();
    rows += score.rows;
    if (score.rows == 0 || target_text(set.about.target).empty()) continue;
    ++targets;
    if (!missed_targets(set.about.target, score).empty()) ++missed;
  }
  return fmt::format("{} published measurements in {} set{} predicted; {} of {} targets are met.", human_count(rows),
                     result.sets.size(), result.sets.size() == 1 ? "" : "s", targets - missed, targets);
}

}  // namespace ringsim::reports
