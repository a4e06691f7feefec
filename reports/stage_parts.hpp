#pragma once
// How the stages of a pipeline spend their time.
//
// The stages of an ideal pipeline are equal and their sends take no time. It still fills and drains: of the time it idles
//   (p − 1) / (v·m + p − 1)      p stages that hold v pieces of the model each, m micro-batches
// (Narayanan et al., arXiv 2104.04473 §2.2: bubble (p − 1)/(v·m) of the useful time; for 1F1B v = 1).

#include "models/scenario.hpp"
#include "reports/table.hpp"
#include "sim/prediction.hpp"

#include <vector>

namespace ringsim::reports {

/// The rank of every stage that ends last and, of several, computes longest; by stage.
[[nodiscard]] std::vector<sim::RankSummary> slowest_of_stages(const std::vector<sim::RankSummary>& ranks);

/// A row a stage; of more than 16 the extremes, with why they are listed.
[[nodiscard]] Grid stage_grid(const sim::Prediction& prediction);
[[nodiscard]] Fields stage_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// Share of the time that an ideal pipeline idles.
[[nodiscard]] double ideal_bubble(std::int64_t stages, std::int64_t pieces, std::int64_t micro_batches);

}  // namespace ringsim::reports
