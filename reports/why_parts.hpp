#pragma once
// What `why` has to say, as tables and sentences; text_why and markdown_why lay them out.

#include "reports/table.hpp"
#include "reports/why_report.hpp"

#include <string>
#include <vector>

namespace ringsim::reports {

/// Stretches of a path that are printed: of more the first and the last.
inline constexpr std::size_t shown_segments = 12;

/// "The critical path stays on rank 7 ...": one or two sentences.
[[nodiscard]] std::string path_sentence(const sim::Explanation& explanation);
/// Parts of the time, largest first; `bar` columns of a bar of blocks (0: none).
[[nodiscard]] std::string share_note(const sim::Explanation& explanation);
[[nodiscard]] Grid share_grid(const sim::Explanation& explanation, std::size_t bar);
[[nodiscard]] Grid segment_grid(const std::vector<sim::PathSegment>& segments, bool stages);
/// "A layer takes 457.8 ms, ..."
[[nodiscard]] std::string cycle_sentence(const sim::Explanation& explanation);
/// Parameters, what they are, one-sided derivatives and what larger changes come to.
[[nodiscard]] Grid sensitivity_grid(const sim::Explanation& explanation);
[[nodiscard]] std::vector<std::string> sensitivity_notes(const sim::Explanation& explanation);
/// A parameter's value for people.
[[nodiscard]] std::string parameter_value(const sim::Parameter& parameter);

}  // namespace ringsim::reports
