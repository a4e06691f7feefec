#include "reports/stage_parts.hpp"

#include "reports/extremes.hpp"
#include "reports/humanise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace ringsim::reports {
namespace {

constexpr std::size_t rows_shown = 16;

}  // namespace

std::vector<sim::RankSummary> slowest_of_stages(const std::vector<sim::RankSummary>& ranks) {
  std::map<std::int64_t, sim::RankSummary> by_stage;
  for (const sim::RankSummary& rank : ranks) {
    const auto [known, first] = by_stage.emplace(rank.stage, rank);
    if (first) continue;
    if (std::tuple(rank.end_s, rank.compute_s) > std::tuple(known->second.end_s, known->second.compute_s)) {
      known->second = rank;
    }
  }
  std::vector<sim::RankSummary> slowest;
  for (const auto& [stage, rank] : by_stage) slowest.push_back(rank);
  return slowest;
}

Grid stage_grid(const sim::Prediction& p) {
  Grid grid{{{"stage", Align::right},
             {"rank", Align::right},
             {"compute", Align::right},
             {"exposed", Align::right},
             {"bubble", Align::right},
             {"own end", Align::right},
             {"", Align::left}},
            {}};
  const std::vector<sim::RankSummary> slowest = slowest_of_stages(p.per_rank);
  // Extremes are looked for among stages: each goes by its own number.
  std::vector<sim::RankSummary> stages = slowest;
  std::int64_t last = 0;
  for (sim::RankSummary& stage : stages) {
    if (stage.rank == p.slowest_rank) last = stage.stage;
    stage.rank = stage.stage;
  }
  for (const ListedRank& listed : listed_ranks(stages, last, rows_shown)) {
    const sim::RankSummary& stage = *listed.summary;
    const sim::RankSummary& rank = slowest[static_cast<std::size_t>(listed.summary - stages.data())];
    grid.rows.push_back({human_count(stage.stage), human_count(rank.rank), human_time(rank.compute_s),
                         human_time(rank.exposed_communication_s), human_time(rank.bubble_s), human_time(rank.end_s),
                         listed.why});
  }
  return grid;
}

double ideal_bubble(std::int64_t stages, std::int64_t pieces, std::int64_t micro_batches) {
  const auto fill = static_cast<double>(stages - 1);
  return fill / (static_cast<double>(pieces * micro_batches) + fill);
}

Fields stage_fields(const sim::Prediction& p, const Scenario& s) {
  const bool training = s.workload.phase == Phase::train;
  const std::int64_t pieces = training ? s.training.interleave : 1;
  Fields fields = {{"micro-batches", human_count(p.micro_batches)}};
  if (pieces > 1)
    fields.emplace_back("interleaved", fmt::format("{} pieces of the model a stage", human_count(pieces)));
  fields.emplace_back("fill and drain",
                      fmt::format("{} of the time would be idle with equal stages and sends that take no time",
                                  human_percent(ideal_bubble(p.stages, pieces, p.micro_batches))));
  return fields;
}

}  // namespace ringsim::reports
