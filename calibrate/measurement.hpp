#pragma once
// A measurement: a scenario's program run for real. What `ringsim measure` writes and `ringsim validate` reads.

#include "sim/prediction.hpp"
#include "sim/spans.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// Where and how it was measured.
struct Environment {
  std::string device;    // "host" | "cuda" | "import"
  std::string machine;   // CPU or GPU model, cores
  std::string software;  // compiler, MPI, instruction set
  std::string date;      // ISO 8601, UTC
  std::string commit;    // of ringsim
};

/// Outputs and gradients against plain attention: max |error| / max |reference|.
struct CheckOutcome {
  double tolerance = 0;
  std::map<std::string, double> error;  // "O", "LSE", "dQ", "dK", "dV"
  bool passed = false;
};

struct Measurement {
  std::string scenario_name;
  std::string scenario_hash;
  std::string scenario_yaml;  // resolved: everything written out; empty for an imported trace
  Environment environment;
  std::int64_t ranks = 0;
  std::int64_t layers = 0;
  std::string phase, dtype, layout, transfer;
  std::int64_t warmup = 0;
  std::vector<double> makespans_s;  // of every repeat
  std::int64_t chosen = 0;          // index of the repeat that the rest speaks of: the median makespan
  double makespan_s = 0;
  double median_low_s = 0, median_high_s = 0;  // 95 % interval of the median makespan
  std::vector<sim::RankSummary> per_rank;      // empty for an imported trace without waits
  std::int64_t slowest_rank = 0;
  sim::Timeline timeline;  // every span of the chosen repeat
  std::optional<CheckOutcome> check;
  std::vector<std::string> notes;
};

}  // namespace ringsim::calibrate
