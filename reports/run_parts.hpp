#pragma once
// What `run` and `bmin` have to say, as tables and fields; text_run and markdown_run lay them out.

#include "models/scenario.hpp"
#include "reports/table.hpp"
#include "sim/prediction.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// What was predicted: model, workload, tokens, cluster, plan, ring, profile, scope, engine.
[[nodiscard]] Fields setup_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// Makespan of the slowest rank and its parts, for all layers and for one.
[[nodiscard]] Grid time_grid(const sim::Prediction& prediction);

/// Overlap, efficiencies, throughput, cost.
[[nodiscard]] Fields figure_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// At most eight ranks, with why they are listed.
[[nodiscard]] Grid rank_grid(const sim::Prediction& prediction);

/// The B_min of both passes, with the verdict on the scenario's block.
[[nodiscard]] Grid b_min_grid(const sim::Prediction& prediction);

/// The hop that decides, and why a value is absent.
[[nodiscard]] Fields b_min_fields(const sim::Prediction& prediction);

/// `bmin`'s table over layouts and masks.
[[nodiscard]] Grid layout_grid(const std::vector<sim::LayoutMinima>& layouts, const Scenario& scenario);

/// "attention kernels, 97.8 % of the time".
[[nodiscard]] std::string bottleneck_heading(const sim::Prediction& prediction);

/// Terms with their share and what divides them, then the sum.
[[nodiscard]] Grid memory_grid(const Memory& memory);

/// "sent by rank 3 to rank 4 between nodes (ib-ndr)".
[[nodiscard]] std::string hop_text(const sim::DecidingHop& hop);

}  // namespace ringsim::reports
