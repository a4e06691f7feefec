#pragma once
// Why a run takes as long as it does, as data.

#include "sim/critical/parameters.hpp"
#include "sim/prediction.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

/// What the end of the run is made of. Times of all parts add up to the makespan.
enum class TimePart {
  attention,  // kernels, as if all ranks had the same work
  products,   // matrix products
  memory,     // passes over memory
  merge,
  imbalance,   // of the ranks on the path over the mean of all ranks in the same operation
  slow_ranks,  // stragglers and random factors
  transfer,    // bytes over links of a class
  latency,     // messages over links of a class
  overhead,    // launches, events, the host
  padding,     // tokens that fill documents up
  other,       // what no parameter accounts for: where durations are not linear
};
[[nodiscard]] std::string_view name_of(TimePart part);

struct TimeShare {
  TimePart part = TimePart::attention;
  std::string name;  // "attention kernels, forward", "transfer over ib-ndr"
  double seconds = 0;
  double share = 0;  // of the makespan
};

/// A stretch of the critical path, or of the critical cycle, on one rank.
struct PathSegment {
  std::int64_t rank = 0;   // of the ring
  std::int64_t stage = 0;  // of the pipeline
  std::int64_t first_layer = 0, first_step = 0, last_layer = 0,
               last_step = 0;  // of its attention, merges and hops; layers -1: none
  double from_s = 0, until_s = 0;
  double attention_s = 0, merge_s = 0, dense_s = 0;
  double transfer_s = 0;  // hops that the rank sends, collectives and sends
  double other_s = 0;     // events and the host
  std::int64_t operations = 0;
  std::int64_t hops = 0;
};

struct RankOnPath {
  std::int64_t rank = 0, stage = 0;
  double seconds = 0;
};

/// The loop of operations whose mean time is that of a layer in the steady state.
struct CriticalCycle {
  double layer_s = 0;                 // cycle time: what a layer takes once the run has settled
  double layers = 0;                  // that the loop has
  std::int64_t period = 1;            // layers that one turn of the event graph stands for
  std::int64_t turns = 1;             // periods that the cycle spans
  std::vector<PathSegment> segments;  // from 0 to the cycle's whole time
  std::int64_t operations = 0;
  std::string note;  // what was assumed
};

/// What a change of one parameter does to the makespan M.
struct Sensitivity {
  Parameter parameter;
  /// ∂ln M / ∂ln(cost), one-sided: as it gets slower, and as it gets faster. Of `rank` and `block` the cost is the rank's slowdown and the
  /// tokens. 1: all of the time goes with it.
  double slower = 0;
  double faster = 0;
  /// Runs: share of the makespan that is saved with 10 % and with 100 % more of a rate, or with a tenth and half less of a cost; of `rank`
  /// what 10 % and 100 % slower costs (negative). Absent for the block.
  std::optional<double> saved_by_tenth, saved_by_double;
};

struct Explanation {
  Prediction prediction;  // by the engine that the explanation is of
  double makespan_s = 0;
  std::vector<TimeShare> shares;  // largest first
  std::vector<PathSegment> path;  // in order of time; empty where it is no chain
  std::string no_path;            // why
  std::vector<RankOnPath> ranks;  // longest first
  std::int64_t rank_changes = 0;
  std::optional<CriticalCycle> cycle;
  std::string no_cycle;
  std::vector<Sensitivity> sensitivities;  // what saves most first
  std::string derivatives_note;            // what the derivatives assume
  std::string advice;
};

}  // namespace ringsim::sim
