#pragma once
// What this program and its worker ringsim-flow say to each other, as JSON: a job, and the answer, every number exact.

#include "sim/flow/request.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::cli {

struct FlowJob {
  std::string scenario_yaml;  // resolved
  std::uint64_t seed = 0;
  std::int64_t replica = 0;
  std::vector<sim::TimelineWindow> windows;
};

[[nodiscard]] std::string to_json(const FlowJob& job);
[[nodiscard]] std::string to_json(const sim::FlowOutcome& outcome);
/// These throw Error for a text that the functions above did not write.
[[nodiscard]] FlowJob flow_job_of(std::string_view text);
[[nodiscard]] sim::FlowOutcome flow_outcome_of(std::string_view text);

}  // namespace ringsim::cli
