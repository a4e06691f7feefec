#pragma once
// What `compare` has to say, as sentences, tables and fields; text_compare and markdown_compare lay them out.

#include "reports/compare_report.hpp"
#include "reports/table.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// "B takes 3.210 s, A 4.590 s (TTFT): B is 1.43 times faster."
[[nodiscard]] std::string compared_answer(const ScenarioComparison& comparison);
/// "97.0 % of that comes from cluster.inter_node.bandwidth (100 Gb/s -> 200 Gb/s)."; empty where nothing is explained.
[[nodiscard]] std::string explained_sentence(const ScenarioComparison& comparison);
/// Whether either fits in memory.
[[nodiscard]] std::string compared_memory_sentence(const ScenarioComparison& comparison);

/// Name, hash and the fields of the setup that differ, a line a side; then those that do not.
[[nodiscard]] Fields compared_setup_fields(const ScenarioComparison& comparison);
[[nodiscard]] Grid compared_grid(const ScenarioComparison& comparison);
[[nodiscard]] Grid compared_memory_grid(const ScenarioComparison& comparison);
/// Why figures of the two grids are not compared, each reason once.
[[nodiscard]] std::vector<std::string> not_compared_sentences(const ScenarioComparison& comparison);
[[nodiscard]] Fields compared_bottleneck_fields(const ScenarioComparison& comparison);

/// What was written differently, and below each input values that follow from it: at most `values` of them.
[[nodiscard]] Grid input_grid(const ScenarioComparison& comparison, std::size_t values = 6);

/// What each input brings, largest first, then the sum.
[[nodiscard]] Grid explained_grid(const ScenarioComparison& comparison);
/// "of the TTFT; each input's share is its mean over all 24 orders of changing them".
[[nodiscard]] std::string explained_heading(const ScenarioComparison& comparison);
/// Inputs that only go together, and those whose share depends on the order.
[[nodiscard]] std::vector<std::string> explained_remarks(const ScenarioComparison& comparison);
/// Where the slowest rank's time changes: compute, waiting, standing still; empty where that is not known.
[[nodiscard]] std::string time_parts_sentence(const ScenarioComparison& comparison);

/// "A: ..." of warnings that one side alone has.
[[nodiscard]] std::vector<std::string> one_sided_warnings(const ScenarioComparison& comparison);

/// "parallel.tensor + parallel.ring": names of the inputs of a part.
[[nodiscard]] std::string part_name(const ScenarioComparison& comparison, const sim::JoinedChanges& part);

/// Whether a part of the time's attribution has no say in time or memory; its table leaves it out.
[[nodiscard]] bool brings_nothing(const ScenarioComparison& comparison, const sim::Contribution& part);

/// What to ask next of the better side, and the command for it, not to be broken into lines.
[[nodiscard]] std::string next_question(const ScenarioComparison& comparison);
[[nodiscard]] std::string next_command(const ScenarioComparison& comparison);

}  // namespace ringsim::reports
