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
/// there is no backward pass, `exchange` where blocks go one way round: "half of the heads each way round".
struct RingWords {
  std::int64_t size = 0;
  std::string layout, travels, backward_travels;
  std::int64_t buffers = 0;
  std::string transfer;
  std::string exchange{};
};
[[nodiscard]] std::string ring_text(const RingWords& ring);

/// The figures of a prediction that a measured run has as well.
[[nodiscard]] sim::RunSummary run_of(const sim::Prediction& prediction);

/// What the columns of a table of times hold: the whole run and, where there are parts, one of them on average.
struct TimeColumns {
  std::string whole = "all layers";
  std::string part = "a layer";  // empty: no such column
  double parts = 1;
  bool bound = false;   // the makespan is a lower bound
  bool stages = false;  // of a pipeline
};
/// Layers of attention alone; of a decode step tokens; of a whole model's prefill or training step no parts.
[[nodiscard]] TimeColumns time_columns(const sim::Prediction& prediction, const Scenario& scenario);

/// Makespan of the slowest rank and its parts.
[[nodiscard]] Grid time_grid(const sim::RunSummary& run, const TimeColumns& columns);
/// Of a ring of attention, for all layers and for one.
[[nodiscard]] Grid time_grid(const sim::RunSummary& run, std::int64_t layers, bool bound);

/// Overlap, efficiencies, throughput, cost.
[[nodiscard]] Fields figure_fields(const sim::Prediction& prediction, const Scenario& scenario);

/// "of the slowest rank, 7"; of a pipeline with its stage.
[[nodiscard]] std::string slowest_rank_text(const sim::Prediction& prediction);

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

/// "of the rank with the largest block"; of a pipeline with its stage.
[[nodiscard]] std::string fullest_rank_text(const sim::Prediction& prediction);

/// Terms with their share and what they are, then the sum. `whole`: of a whole model, whose many terms come by size and say what
/// divides them; of more than ten the small ones are one row.
[[nodiscard]] Grid memory_grid(const Memory& memory, bool whole = false);

/// The longest sequence that fits, where that is known.
[[nodiscard]] Fields context_fields(const sim::Prediction& prediction);

/// "sent by rank 3 to rank 4 between nodes (ib-ndr)".
[[nodiscard]] std::string hop_text(const sim::DecidingHop& hop);

}  // namespace ringsim::reports
