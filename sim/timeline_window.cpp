#include "sim/timeline_window.hpp"

#include "models/scenario.hpp"
#include "sim/phase_program.hpp"
#include "sim/role_layers.hpp"
#include "sim/schedules/model_program.hpp"

#include <cstdlib>

namespace ringsim::sim {
namespace {

/// Which layer of the first stage, in its order, is nearest to the middle; of models with windows among those that see everything.
std::int64_t middle_layer(const Program& program) {
  const std::vector<std::int64_t> layers = layers_of_roles(program).front();
  const auto all = std::ssize(layers);
  const std::int64_t middle = all / 2;
  std::int64_t best = middle;
  std::int64_t distance = all + 1;
  for (std::int64_t i = 0; i < all; ++i) {
    const auto layer = static_cast<std::size_t>(layers[static_cast<std::size_t>(i)]);
    if (program.masks[program.mask_of_layer[layer]].window || std::abs(i - middle) >= distance) continue;
    best = i;
    distance = std::abs(i - middle);
  }
  return best;
}

bool runs(const std::vector<Operation>& body, Pass pass) {
  bool found = false;
  for_each_operation(body, [&](const Operation& operation) {
    const auto* attend = std::get_if<Attend>(&operation.what);
    found = found || (attend != nullptr && attend->pass == pass);
  });
  return found;
}

}  // namespace

std::vector<std::int64_t> TimelineWindow::ranks_of(std::int64_t ring) const {
  const IndexRange range = ranks.within(ring);
  std::vector<std::int64_t> list;
  for (std::int64_t r = range.first; r < range.end(); ++r) list.push_back(r);
  for (const std::int64_t r : also) {
    if (r >= 0 && r < ring && !range.contains(r)) list.push_back(r);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

RunExtent extent_of(const Program& program) {
  RunExtent run;
  run.ranks = program.ring();
  run.layers = program.layers();
  run.steps = steps_of(program);
  for (const TaskMark& task : program.tasks) run.micro_batches = std::max(run.micro_batches, task.micro_batch + 1);
  run.stages = std::ssize(program.roles);
  return run;
}

RunExtent extent_of(std::span<const PhaseProgram> phases) {
  RunExtent run = extent_of(phases.front().program);
  run.phases = std::ssize(phases);
  return run;
}

RunExtent extent_of(const Scenario& scenario) { return extent_of(programs_of(scenario)); }

TimelineWindow trace_window(const RunExtent& run) {
  constexpr std::int64_t ranks = 16;
  TimelineWindow window{std::max<std::int64_t>(1, ranks / run.stages), 32, 2};
  window.micro_batches = 2;
  return window;
}

TimelineWindow opening_window(std::span<const PhaseProgram> phases, std::int64_t ranks, std::int64_t steps) {
  const Program& program = phases.front().program;
  TimelineWindow window{ranks, steps, 1};
  window.micro_batches = 1;
  window.slowest = true;
  if (!runs(program.body, Pass::forward)) return window;
  window.pass = Pass::forward;
  return window;
}

TimelineWindow steady_window(std::span<const PhaseProgram> phases, std::int64_t ranks, std::int64_t steps,
                             std::optional<Pass> pass) {
  TimelineWindow window{ranks, steps};
  window.phase = std::ssize(phases) / 2;
  window.slowest = true;
  const Program& program = phases[static_cast<std::size_t>(window.phase)].program;
  window.layers = {middle_layer(program), 1};
  const RunExtent run = extent_of(program);
  window.micro_batches = {run.micro_batches / 2, 1};
  window.pass = pass.value_or(runs(program.body, Pass::forward) ? Pass::forward : Pass::backward);
  if (run.steps > steps) window.steps = {std::min(run.steps / 2, run.steps - steps), steps};
  return window;
}

TimelineWindow opening_window(const Scenario& scenario, std::int64_t ranks, std::int64_t steps) {
  return opening_window(programs_of(scenario), ranks, steps);
}

TimelineWindow steady_window(const Scenario& scenario, std::int64_t ranks, std::int64_t steps,
                             std::optional<Pass> pass) {
  return steady_window(programs_of(scenario), ranks, steps, pass);
}

}  // namespace ringsim::sim
