#include "sim/critical/critical_cycle.hpp"

#include "sim/critical/cycle_ratio.hpp"
#include "sim/critical/path_times.hpp"
#include "sim/critical/periodic_graph.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::sim {

CycleFinding find_critical_cycle(const Tape& tape, const Program& program, OperationDurations& durations,
                                 std::size_t loop) {
  CycleFinding finding;
  if (!tape.lines.empty()) {
    finding.why_not = "kernels and transfers that slow each other down are no max-plus system";
    return finding;
  }
  finding.why_not.clear();
  const std::optional<PeriodicGraph> graph = periodic_graph(tape, program, durations, loop, finding.why_not);
  if (!graph) return finding;
  const std::optional<CycleRatio> found = maximum_cycle_ratio(graph->nodes, graph->arcs);
  if (!found) {
    finding.why_not = "nothing of an iteration depends on the one before";
    return finding;
  }
  CriticalCycle cycle;
  cycle.layer_s = found->ratio / static_cast<double>(graph->iterations);
  cycle.layers = static_cast<double>(
      std::count_if(tape.marks.begin(), tape.marks.end(), [&](const TapeMark& m) { return m.loop == loop; }));
  cycle.period = graph->iterations;
  cycle.turns = 0;
  Segments segments(false);
  // From where the cycle enters a period.
  std::size_t first = 0;
  for (std::size_t i = 0; i < found->arcs.size(); ++i) {
    const std::int32_t tokens = graph->arcs[found->arcs[i]].tokens;
    if (tokens > 0 && cycle.turns == 0) first = i;
    cycle.turns += tokens;
  }
  for (std::size_t i = 0; i < found->arcs.size(); ++i) {
    const std::size_t arc = found->arcs[(first + i) % found->arcs.size()];
    const TapeEntry& entry = tape.entries[static_cast<std::size_t>(graph->entry_of_arc[arc])];
    const bool operation = entry.kind == TapeEntry::Kind::work || entry.kind == TapeEntry::Kind::hop;
    segments.add(entry, operation ? &durations.instruction(entry) : nullptr, graph->rank_of_arc[arc],
                 graph->arcs[arc].weight);
  }
  cycle.operations = segments.operations();
  cycle.segments = segments.take();
  if (!graph->choices_repeat) {
    cycle.note = "which of a kernel and a transfer gets the SMs had not settled; taken as in the last period";
  }
  finding.cycle = std::move(cycle);
  return finding;
}

}  // namespace ringsim::sim
