#include "sim/schedules/pipeline_order.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace ringsim::sim {
namespace {

/// The k-th of a stage's m·v forwards, or of its backwards, which take the pieces from the last one on.
PipelineTask nth(const Pipeline& p, std::int64_t stage, std::int64_t k, Pass pass) {
  const std::int64_t turn = p.stages * p.interleave;  // p micro-batches through every piece of the stage
  std::int64_t own = p.interleave == 1 ? 0 : k % turn / p.stages;
  const std::int64_t micro_batch = p.interleave == 1 ? k : k / turn * p.stages + k % p.stages;
  if (pass == Pass::backward) own = p.interleave - 1 - own;
  return {own * p.stages + stage, micro_batch, pass};
}

std::int64_t first_forwards(const Pipeline& p, std::int64_t stage) {
  const std::int64_t behind = p.stages - 1 - stage;
  const std::int64_t wanted = p.interleave == 1 ? behind : 2 * behind + (p.interleave - 1) * p.stages;
  return std::min(wanted, p.micro_batches * p.interleave);
}

void require_order(const Pipeline& p) {
  if (p.interleave > 1 && p.micro_batches % p.stages != 0) {
    throw Error(
        fmt::format("{} micro-batches cannot be interleaved over {} pipeline stages", p.micro_batches, p.stages),
        "training.interleave", fmt::format("1, or a number of micro-batches that is a multiple of {}", p.stages));
  }
}

}  // namespace

std::vector<PipelineTask> order_of_stage(const Pipeline& p, std::int64_t stage) {
  require_order(p);
  const std::int64_t all = p.micro_batches * p.interleave;
  const std::int64_t first = first_forwards(p, stage);
  std::vector<PipelineTask> tasks;
  tasks.reserve(static_cast<std::size_t>(2 * all));
  for (std::int64_t k = 0; k < first; ++k) tasks.push_back(nth(p, stage, k, Pass::forward));
  for (std::int64_t k = 0; k < all; ++k) {
    if (first + k < all) tasks.push_back(nth(p, stage, first + k, Pass::forward));
    tasks.push_back(nth(p, stage, k, Pass::backward));
  }
  return tasks;
}

std::vector<PipelineTask> forward_order_of_stage(const Pipeline& p, std::int64_t stage) {
  require_order(p);
  std::vector<PipelineTask> tasks;
  for (std::int64_t k = 0; k < p.micro_batches * p.interleave; ++k) tasks.push_back(nth(p, stage, k, Pass::forward));
  return tasks;
}

std::vector<PipelineTask> in_dependency_order(const Pipeline& p, const std::vector<std::vector<PipelineTask>>& stages) {
  std::vector<bool> done(static_cast<std::size_t>(2 * p.pieces() * p.micro_batches), false);
  const auto place = [&](std::int64_t piece, std::int64_t micro_batch, Pass pass) {
    return static_cast<std::size_t>(((pass == Pass::backward ? p.pieces() : 0) + piece) * p.micro_batches +
                                    micro_batch);
  };
  const auto ready = [&](const PipelineTask& t) {
    if (t.pass == Pass::forward) return t.piece == 0 || done[place(t.piece - 1, t.micro_batch, Pass::forward)];
    return done[place(t.piece, t.micro_batch, Pass::forward)] &&
           (t.piece == p.pieces() - 1 || done[place(t.piece + 1, t.micro_batch, Pass::backward)]);
  };
  std::vector<std::size_t> next(stages.size(), 0);
  std::size_t total = 0;
  for (const auto& own : stages) total += own.size();
  std::vector<PipelineTask> order;
  order.reserve(total);
  while (order.size() < total) {
    const std::size_t before = order.size();
    for (std::size_t s = 0; s < stages.size(); ++s) {
      while (next[s] < stages[s].size() && ready(stages[s][next[s]])) {
        const PipelineTask& task = stages[s][next[s]++];
        done[place(task.piece, task.micro_batch, task.pass)] = true;
        order.push_back(task);
      }
    }
    // Orders come from this file alone, so this is a mistake in it and none of the user's.
    if (order.size() == before) throw std::logic_error("a pipeline order in which every stage waits for another");
  }
  return order;
}

std::vector<PipelineTask> training_order(const Pipeline& p) {
  std::vector<std::vector<PipelineTask>> stages;
  for (std::int64_t s = 0; s < p.stages; ++s) stages.push_back(order_of_stage(p, s));
  return in_dependency_order(p, stages);
}

std::vector<PipelineTask> inference_order(const Pipeline& p) {
  std::vector<std::vector<PipelineTask>> stages;
  for (std::int64_t s = 0; s < p.stages; ++s) stages.push_back(forward_order_of_stage(p, s));
  return in_dependency_order(p, stages);
}

}  // namespace ringsim::sim
