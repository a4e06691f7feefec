#include "sim/recurrence/tiled_loop.hpp"

#include <unistd.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace ringsim::sim {
namespace {

constexpr std::int64_t line = 8;  // doubles of a cache line, and of the widest vector

std::int64_t up_to_lines(std::int64_t n) { return (n + line - 1) / line * line; }
std::int64_t cyclic(std::int64_t r, std::int64_t n) { return ((r % n) + n) % n; }

std::int64_t first_cache_bytes() {
  std::int64_t bytes = 0;
#ifdef _SC_LEVEL1_DCACHE_SIZE
  bytes = sysconf(_SC_LEVEL1_DCACHE_SIZE);
#endif
  return bytes > 0 ? bytes : 32768;  // not known: the smallest of today's processors
}

}  // namespace

TiledLoop::TiledLoop(const LoweredLoop& loop, std::size_t streams, std::int64_t ranks, const Eigen::ArrayXd& slowdown)
    : loop_(loop), streams_(streams), ranks_(ranks), slowdown_(slowdown), names_(names_of(loop, streams)) {
  using Code = Instruction::Code;
  possible_ = !loop.straight.empty();
  for (const Instruction* i : loop.straight) {
    for (const EventIndex& e : {i->event, i->recorded, i->awaited}) period_ = std::lcm(period_, e.count);
    if (i->code == Code::timed || (i->code == Code::shift && !(i->hops && i->hops->every_step_alike)))
      possible_ = false;
  }
  constexpr std::int64_t longest_period = 16;
  possible_ = possible_ && period_ <= longest_period;
}

bool TiledLoop::takes(std::size_t mask) {
  if (takes_.size() <= mask) takes_.resize(mask + 1, -1);
  int& known = takes_[mask];
  if (known >= 0) return known > 0;
  bool takes = possible_;
  // A run of equal ranks is a call: many short ones cost more than the cache saves.
  constexpr std::int64_t shortest_run = 64;
  for (const Instruction* i : loop_.straight) {
    if (!takes || i->code != Instruction::Code::compute) continue;
    StepCosts& costs = *i->costs[mask];
    takes = costs.keeps_all();
    std::size_t runs = 0;
    for (std::int64_t k = 0; takes && k < loop_.count; ++k) runs += costs.at(loop_.first + k * loop_.increment).size();
    const std::int64_t few = std::max<std::int64_t>(4, ranks_ / shortest_run);
    takes = takes && static_cast<std::int64_t>(runs) <= few * loop_.count;
  }
  known = takes ? 1 : 0;
  return takes;
}

std::int64_t TiledLoop::block(std::int64_t left, std::int64_t asked) const {
  constexpr std::int64_t usual = 64;
  const std::int64_t steps = asked > 0 ? asked : (usual + period_ - 1) / period_ * period_;
  return left <= steps + steps / 2 && asked == 0 ? left : std::min(left, steps);
}

const TilePlan& TiledLoop::plan(std::span<const int> before, std::int64_t first, std::int64_t steps) {
  const std::int64_t phase = cyclic(first, period_);
  for (const Known& k : plans_) {
    if (k.phase == phase && k.steps == steps && std::equal(before.begin(), before.end(), k.before.begin())) {
      return k.plan;
    }
  }
  plans_.push_front(
      {{before.begin(), before.end()}, phase, steps, plan_tile(loop_, names_, streams_, before, first, steps)});
  return plans_.front().plan;
}

std::int64_t TiledLoop::tile_ranks(const TilePlan& plan) const {
  // Of the first cache a quarter is for what else goes through it: ranks beyond the tile's, vectors that are read and written.
  static const std::int64_t budget = first_cache_bytes() / 4 * 3;
  const auto arrays = static_cast<std::int64_t>(plan.hot) + static_cast<std::int64_t>(plan.hops.size()) +
                      (slowdown_.size() > 0 ? 1 : 0);
  // In a shorter tile too much is worked out twice, and a pass is hardly longer than its call.
  constexpr std::int64_t shortest = 512;
  return std::max(shortest, budget / (8 * arrays) / line * line);
}

void TiledLoop::run(const TilePlan& plan, std::size_t mask, std::int64_t first, std::span<const double* const> before,
                    std::span<double* const> made, std::int64_t tile, std::vector<TileWorkspace>& workspaces,
                    WorkerPool* pool) {
  costs_.assign(plan.passes.size(), {});
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const TilePass& pass = plan.passes[p];
    for (std::size_t k = 0; k < static_cast<std::size_t>(pass.kernels); ++k) {
      const TileKernel& kernel = pass.kernel[k];
      costs_[p].segments[k] = kernel.compute->costs[mask]->at(first + kernel.step * loop_.increment);
    }
  }
  if (tile <= 0) tile = tile_ranks(plan);
  const std::int64_t tiles = (ranks_ + tile - 1) / tile;
  const std::int64_t ranks = tiles == 1 ? ranks_ : up_to_lines((ranks_ + tiles - 1) / tiles);
  const std::int64_t margin = line + (tiles == 1 ? 0 : up_to_lines(plan.reach));
  const std::int64_t stride = up_to_lines(ranks) + 2 * margin;
  const auto arrays = static_cast<std::int64_t>(plan.hops.size()) + 1 + plan.buffers;
  const auto workers = static_cast<std::size_t>(pool == nullptr ? 1 : pool->workers());
  if (workspaces.size() < workers) workspaces.resize(workers);
  const auto size = static_cast<std::size_t>(arrays * stride + line);
  for (TileWorkspace& w : workspaces) {
    if (w.memory.size() < size) w = {std::vector<double>(size, 0.0), nullptr};
  }
  const auto task = [&](std::int64_t number, int worker) {
    const std::int64_t begin = number * ranks;
    if (begin >= ranks_) return;  // rounding up has left nothing for it
    const Window window{begin, std::min(ranks, ranks_ - begin), margin, stride, tiles == 1};
    run_tile(plan, window, before, made, workspaces[static_cast<std::size_t>(worker)]);
  };
  if (pool == nullptr || tiles == 1) {
    for (std::int64_t t = 0; t < tiles; ++t) task(t, 0);
  } else {
    pool->run(tiles, task);
  }
}

// The ranks of a window and what is beyond it on both sides, round the ring as often as it takes.
void TiledLoop::load(const double* vector, const Window& window, double* to) const {
  std::int64_t rank = cyclic(window.first - window.margin, ranks_);
  for (std::int64_t at = 0; at < window.stride;) {
    const std::int64_t count = std::min(ranks_ - rank, window.stride - at);
    std::copy_n(vector + rank, count, to + at);
    at += count;
    rank = 0;
  }
}

void TiledLoop::run_tile(const TilePlan& plan, const Window& window, std::span<const double* const> before,
                         std::span<double* const> made, TileWorkspace& workspace) const {
  const auto misaligned = reinterpret_cast<std::uintptr_t>(workspace.memory.data()) / sizeof(double) % line;
  double* const memory = workspace.memory.data() + (line - static_cast<std::int64_t>(misaligned)) % line;
  const auto fixed = static_cast<std::int64_t>(plan.hops.size()) + 1;
  const auto array = [&](std::int64_t number) { return memory + number * window.stride; };
  const auto buffer = [&](int number) { return number < 0 ? nullptr : array(fixed + number); };
  if (!window.whole || workspace.filled_for != &plan) {
    if (slowdown_.size() > 0) load(slowdown_.data(), window, array(0));
    for (std::size_t i = 0; i < plan.hops.size(); ++i) {
      load(plan.hops[i]->per_hop.data(), window, array(static_cast<std::int64_t>(i) + 1));
    }
    workspace.filled_for = window.whole ? &plan : nullptr;
  }
  for (const TilePlan::Copy& read : plan.reads) {
    load(before[static_cast<std::size_t>(read.vector)], window, buffer(read.buffer));
  }
  for (std::size_t p = 0; p < plan.passes.size(); ++p) {
    const TilePass& pass = plan.passes[p];
    TilePassOperands operands;
    if (pass.hops != nullptr) {
      operands.hop_s = pass.hops->seconds;
      const auto own = std::find(plan.hops.begin(), plan.hops.end(), pass.hops);
      if (own != plan.hops.end()) operands.hop_each = array(own - plan.hops.begin() + 1) + window.margin;
      double* posted = buffer(pass.posted) + window.margin;
      if (window.whole) {
        posted[-1] = posted[window.ranks - 1];
        posted[window.ranks] = posted[0];
      }
    }
    const auto place = [&](int number) { return number < 0 ? nullptr : buffer(number) + window.margin; };
    operands.posted = place(pass.posted);
    operands.other = place(pass.other);
    operands.from = place(pass.from);
    operands.kernels = pass.kernels;
    operands.slowdown = slowdown_.size() > 0 ? array(0) + window.margin : nullptr;
    operands.x = place(pass.x);
    operands.c = place(pass.c);
    operands.met = place(pass.met);
    run_pass(pass, costs_[p], window, operands);
  }
  for (const TilePlan::Copy& write : plan.writes) {
    std::copy_n(buffer(write.buffer) + window.margin, window.ranks,
                made[static_cast<std::size_t>(write.vector)] + window.first);
  }
}

// Where kernels cost different ranks differently, a run of equal ranks at a time.
void TiledLoop::run_pass(const TilePass& pass, const Costs& costs, const Window& window,
                         TilePassOperands& operands) const {
  // Whole lines: what is wrong beyond the reach stays beyond it.
  const std::int64_t beyond = window.whole ? 0 : up_to_lines(pass.reach);
  const std::int64_t end = window.whole ? window.ranks : up_to_lines(window.ranks) + beyond;
  const auto kernels = static_cast<std::size_t>(pass.kernels);
  std::array<const SegmentCost*, 2> at{};
  bool one_run = true;
  for (std::size_t k = 0; k < kernels; ++k) {
    at[k] = costs.segments[k].data();
    one_run = one_run && costs.segments[k].size() == 1;
  }
  const auto set = [&] {
    if (kernels > 0) operands.first_s = at[0]->seconds;
    if (kernels > 1) operands.second_s = at[1]->seconds;
  };
  if (one_run) {
    set();
    run_tile_pass(operands, -beyond, end);
    return;
  }
  for (std::int64_t i = -beyond; i < end;) {
    const std::int64_t rank = cyclic(window.first + i, ranks_);
    std::int64_t count = end - i;
    for (std::size_t k = 0; k < kernels; ++k) {
      const std::span<const SegmentCost> all = costs.segments[k];
      at[k] = &*std::upper_bound(all.begin(), all.end(), rank,
                                 [](std::int64_t r, const SegmentCost& s) { return r < s.end; });
      count = std::min(count, at[k]->end - rank);
    }
    set();
    run_tile_pass(operands, i, i + count);
    i += count;
  }
}

}  // namespace ringsim::sim
