#pragma once
// What `run` and `bmin` have to say, as tables and fields; text_run and markdown_run lay them out.

#include "models/scenario.hpp"
#include "reports/table.hpp"
#include "sim/prediction.hpp"
#include "sim/summarize.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::reports {

/// What was predicted: model, workload, tokens, cluster, plan, ring, profile, scope, engine.
[[nodiscard]] Fields setup_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// "8 ranks, zigzag, K/V travel (backward: K/V and dK/dV travel), 2 buffers, sm-kernel". `backward_travels` is empty where
/// there is no backward pass.
struct RingWords {
  std::int64_t size = 0;
  std::string layout, travels, backward_travels;
  std::int64_t buffers = 0;
  std::string transfer;
};
[[nodiscard]] std::string ring_text(const RingWords& ring);

/// The figures of a prediction that a measured run has as well.
[[nodiscard]] sim::RunSummary run_of(const sim::Prediction& prediction);

/// Makespan of the slowest rank and its parts, for all layers and for one. `bound`: the makespan is a lower bound.
[[nodiscard]] Grid time_grid(const sim::RunSummary& run, std::int64_t layers, bool bound);

/// Overlap, efficiencies, throughput, cost.
[[nodiscard]] Fields figure_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// At most eight ranks, with why they are listed.
[[nodiscard]] Grid rank_grid(const sim::RunSummary& run);

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
