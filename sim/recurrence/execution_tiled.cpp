// Loops that are run in tiles (tiled_loop.hpp): what streams and events mean before a block goes in, and what they mean after it
// comes out.
#include "sim/recurrence/execution.hpp"

#include <algorithm>

namespace ringsim::sim {
namespace {

// In shorter rings a pass is hardly longer than its call, and in fewer steps a block no longer than its beginning and end.
constexpr std::int64_t least_tiled_ranks = 32;
constexpr std::int64_t least_tiled_steps = 16;
// A plan takes as long as so many ranks' steps without one: loops are planned once they have had as much to do.
constexpr std::int64_t worth_a_plan = std::int64_t{1} << 16;
// Below it threads wait for each other longer than they work.
constexpr std::int64_t least_shared_ranks = 4096;

}  // namespace

bool RecurrenceEngine::Execution::run_tiled(const LoweredLoop& loop, std::int64_t layer, std::int64_t first,
                                            std::int64_t count) {
  if (!options_.tile || !joined_ || layout_.lanes() > 1 || !times_.repeatable()) return false;
  if (loop.loop != Loop::step || loop.straight.empty()) return false;
  const bool asked = options_.tile_shape.ranks > 0;
  if (!asked && (count < least_tiled_steps || layout_.ranks() < least_tiled_ranks)) return false;
  Tiling& tiling = tilings_[&loop];
  tiling.rank_steps += count * layout_.ranks();
  if (!asked && tiling.rank_steps < worth_a_plan) return false;
  if (!tiling.loop) tiling.loop.emplace(loop, lowered_.streams, layout_.ranks(), times_.slowdown());
  TiledLoop& tiled = *tiling.loop;
  if (!tiled.takes(program_.mask_of_layer[static_cast<std::size_t>(layer)])) return false;
  if (options_.threads > 1 && !pool_ && (asked || layout_.ranks() >= least_shared_ranks)) {
    pool_ = std::make_unique<WorkerPool>(options_.threads);
  }
  for (std::int64_t done = 0; done < count;) {
    const std::int64_t steps = tiled.block(count - done, options_.tile_shape.steps);
    run_block(tiled, layer, first + done * loop.increment, steps);
    done += steps;
  }
  return true;
}

void RecurrenceEngine::Execution::run_block(TiledLoop& tiled, std::int64_t layer, std::int64_t first,
                                            std::int64_t steps) {
  const auto handle = [this](std::size_t name) -> Handle& {
    return name < streams_.size() ? streams_[name].time : events_[name - streams_.size()].time;
  };
  // Vectors by number, and which of them every name means.
  std::vector<Handle> handles;
  std::vector<int> meaning;
  for (const std::size_t name : tiled.names()) {
    const Handle h = handle(name);
    if (h == Registers::none) {
      meaning.push_back(TilePlan::none);
      continue;
    }
    const auto known = std::find(handles.begin(), handles.end(), h);
    meaning.push_back(static_cast<int>(known - handles.begin()));
    if (known == handles.end()) handles.push_back(h);
  }
  const TilePlan& plan = tiled.plan(meaning, first, steps);
  std::vector<const double*> before;
  for (const Handle h : handles) before.push_back(registers_.at(h));
  std::vector<Handle> made;
  std::vector<double*> vectors;
  for (std::size_t i = 0; i < plan.writes.size(); ++i) {
    made.push_back(registers_.acquire());
    vectors.push_back(registers_.at(made.back()));
  }
  tiled.run(plan, program_.mask_of_layer[static_cast<std::size_t>(layer)], first, before, vectors,
            options_.tile_shape.ranks, workspaces_, pool_.get());
  for (const Handle h : handles) registers_.retain(h);  // names change their meaning one by one
  for (std::size_t i = 0; i < tiled.names().size(); ++i) {
    const int now = plan.after[i];
    if (now == TilePlan::none) continue;
    registers_.assign(handle(tiled.names()[i]),
                      now >= 0 ? handles[static_cast<std::size_t>(now)] : made[static_cast<std::size_t>(~now)]);
  }
  for (const Handle h : handles) registers_.release(h);
  for (const Handle h : made) registers_.release(h);
}

}  // namespace ringsim::sim
