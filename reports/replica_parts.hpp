#pragma once
// What replicas of a run with random times come to, for text, Markdown, JSON and CSV.

#include "reports/csv.hpp"
#include "reports/json_parts.hpp"
#include "reports/table.hpp"
#include "sim/prediction.hpp"

#include <string>

namespace ringsim::reports {

/// Heading: "100 replicas; number 37, of the median makespan, is what stands above".
[[nodiscard]] std::string replica_heading(const sim::ReplicaSummary& replicas);

/// A figure a row: its median, what 95 % and 99 % of the replicas do at least as well as, and its extremes.
[[nodiscard]] Grid replica_grid(const sim::ReplicaSummary& replicas);

/// Null where there was one run.
[[nodiscard]] Json json_replicas(const sim::Prediction& prediction);

/// The same columns for every run; empty where there was one.
void add_replicas(CsvRow& row, const sim::Prediction& prediction);

}  // namespace ringsim::reports
