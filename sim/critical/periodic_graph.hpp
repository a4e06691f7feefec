#pragma once
// The steady state of a run as a timed event graph: what one iteration of its longest loop makes of the one before.
//
// Two iterations that follow each other in the tape are the same entries. Entry e of the later one stands for e of every iteration:
// where it is made of an entry of its own iteration the arc has no token, of one before it has one, and of the i-th before i.
// Operands from before the loop are left out: they have no influence in the long run.
//
// A period is as many iterations as the masks of the layers take to repeat. Under a contest for SMs the kernels that transfers waited
// for in the last periods are taken as they were; where they differ from period to period, of the smallest multiple that repeats.

#include "sim/critical/cycle_ratio.hpp"
#include "sim/recurrence/operation_durations.hpp"
#include "sim/recurrence/tape.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::sim {

struct PeriodicGraph {
  std::int32_t nodes = 0;
  std::vector<CycleArc> arcs;
  std::vector<std::int32_t> entry_of_arc;  // tape entry whose duration the arc's weight is
  std::vector<std::int64_t> rank_of_arc;   // of its head
  std::int64_t iterations = 0;             // that a period has
  std::size_t loop = 0;                    // which loop of the tape
  bool choices_repeat = true;              // the contest for SMs chose alike in the two last periods
};

/// The largest graph that is made, in nodes.
inline constexpr std::int64_t most_graph_nodes = 4'000'000;

/// Of the loop numbered `loop`; `why_not` says why there is none.
[[nodiscard]] std::optional<PeriodicGraph> periodic_graph(const Tape& tape, const Program& program,
                                                          OperationDurations& durations, std::size_t loop,
                                                          std::string& why_not);

}  // namespace ringsim::sim
