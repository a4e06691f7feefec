#pragma once
// A measurement: a scenario's program run for real. What `ringsim measure` writes and `ringsim validate` reads.

#include "calibrate/definition.hpp"
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
  std::string gpu;       // library name of the scenario's GPU, which the ranks are or stand for
  std::string machine;   // CPU or GPU model, cores
  std::string software;  // compiler, MPI, instruction set
  std::string date;      // ISO 8601, UTC
  std::string version;   // of ringsim
  std::string commit;    // of ringsim; empty where unknown
  friend bool operator==(const Environment&, const Environment&) = default;
};

/// Outputs and gradients against plain attention: max |error| / max |reference|.
struct CheckOutcome {
  double tolerance = 0;
  std::map<std::string, double> error;  // "O", "LSE", "dQ", "dK", "dV"
  bool passed = false;
  friend bool operator==(const CheckOutcome&, const CheckOutcome&) = default;
};

/// All operations of one name over all ranks, where a source gives sums instead of spans [s].
struct OperationTotal {
  std::string name;  // as sim::Span::name
  sim::SpanKind kind = sim::SpanKind::attention;
  std::int64_t count = 0;
  double total_s = 0;
  double median_s = 0;
  friend bool operator==(const OperationTotal&, const OperationTotal&) = default;
};

struct Measurement {
  std::string scenario_name;
  std::string scenario_hash;
  std::string scenario_yaml;  // resolved: everything written out; empty for an imported trace
  Definition definition;      // of the measured work; definition.ring ranks ran it
  Environment environment;
  std::int64_t warmup = 0;
  std::vector<double> makespans_s;             // of every repeat; empty where an import gives no spans
  std::int64_t chosen = 0;                     // index of the repeat that the rest speaks of: the median makespan
  double makespan_s = 0;                       // of the chosen repeat; 0 where an import gives no spans
  double median_low_s = 0, median_high_s = 0;  // 95 % interval of the median makespan
  std::vector<sim::RankSummary> per_rank;      // empty for an imported trace without waits
  std::int64_t slowest_rank = 0;
  /// Every span of the chosen repeat, or of an imported trace. layer = step = -1: which execution it was is not known.
  sim::Timeline timeline;
  std::vector<OperationTotal> totals;  // only where there are no spans
  std::optional<CheckOutcome> check;
  std::vector<std::string> notes;
};

}  // namespace ringsim::calibrate
