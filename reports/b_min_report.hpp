#pragma once
// `bmin`: the three B_min of both passes, the hop that decides, and the values over layouts and masks.

#include "models/scenario.hpp"
#include "reports/style.hpp"
#include "sim/prediction.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

struct BlockMinimumReport {
  const sim::Prediction& prediction;
  const Scenario& scenario;
  const std::vector<sim::LayoutMinima>& layouts;
};

[[nodiscard]] std::string render_b_min_text(const BlockMinimumReport& report, const Style& style);
[[nodiscard]] std::string render_b_min_markdown(const BlockMinimumReport& report);

/// Head, engine, seed, profile, phase, ring, tokens, b_min as in `run`, and `layouts`: [{layout, causal, forward,
/// backward}].
[[nodiscard]] std::string render_b_min_json(const BlockMinimumReport& report);

/// One row for each pass of the scenario, then of each layout and mask.
[[nodiscard]] std::string render_b_min_csv(const BlockMinimumReport& report);

}  // namespace ringsim::reports
