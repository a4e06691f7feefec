#include "kernels/host/plan.hpp"

#include "models/error.hpp"

#include <algorithm>
#include <numeric>

namespace ringsim::host {
namespace {

using sim::Share;

std::size_t half_of(Share share) { return share == Share::first_tokens ? 1 : share == Share::second_tokens ? 2 : 0; }
constexpr std::array<Half, 3> halves = {Half::whole, Half::first, Half::second};

template <class Runs>
Positions listed(const Runs& runs) {
  Positions places;
  for (const TokenRun& run : runs) {
    for (std::int64_t i = 0; i < run.count; ++i) places.push_back(run.first + i * run.stride);
  }
  return places;
}

// What the operations of a program say about the tensors' roles.
class RoleReader {
 public:
  RoleReader(const sim::Program& program, RingPlan& plan) : plan_(plan) {
    plan.slots.assign(program.tensors.size(), 1);
    // Gradients are what a kernel starts: they must be known before the first shift is read.
    sim::for_each_execution(program.body, [&](const sim::Operation& operation, std::int64_t, std::int64_t step) {
      if (const auto* attend = std::get_if<sim::Attend>(&operation.what)) starts(*attend, step);
    });
    sim::for_each_execution(program.body, [&](const sim::Operation& operation, std::int64_t, std::int64_t step) {
      if (const auto* shift = std::get_if<sim::Shift>(&operation.what)) read(*shift, step);
      if (const auto* attend = std::get_if<sim::Attend>(&operation.what)) read(*attend, step);
      if (const auto* merge = std::get_if<sim::Merge>(&operation.what)) read(*merge);
    });
  }

 private:
  [[nodiscard]] PassRoles& roles(Pass pass) { return plan_.roles_of_pass[index_of(pass)]; }
  void need(std::size_t tensor, const sim::Slot& slot) {
    plan_.slots[tensor] = std::max(plan_.slots[tensor], slot.first + slot.count);
  }
  static TensorRole* find(std::vector<TensorRole>& list, std::size_t tensor) {
    const auto known = std::find_if(list.begin(), list.end(), [&](const TensorRole& r) { return r.tensor == tensor; });
    return known == list.end() ? nullptr : &*known;
  }
  void reads(Pass pass, std::size_t tensor, const sim::Slot& slot, std::int64_t step) {
    need(tensor, slot);
    if (find(roles(pass).operands, tensor) == nullptr) roles(pass).operands.push_back({tensor, index_of(slot, step)});
  }

  void starts(const sim::Attend& attend, std::int64_t step) {
    for (const sim::Operand& gradient : attend.starts_travelling) {
      need(gradient.tensor, gradient.slot);
      if (find(roles(attend.pass).gradients, gradient.tensor) != nullptr) continue;
      roles(attend.pass).gradients.push_back({gradient.tensor, index_of(gradient.slot, step)});
    }
  }
  void read(const sim::Shift& shift, std::int64_t step) {
    for (const sim::ShiftItem& item : shift.items) {
      need(item.tensor, item.from);
      need(item.tensor, item.to);
      if (TensorRole* gradient = find(roles(shift.pass).gradients, item.tensor)) {
        gradient->slot = index_of(item.to, step);
      } else {
        reads(shift.pass, item.tensor, item.from, step);
      }
    }
  }
  void read(const sim::Attend& attend, std::int64_t step) {
    PassRoles& pass = roles(attend.pass);
    if (attend.queries == sim::Block::all) throw Error("no kernel computes the queries of all ranks", "program");
    if (attend.queries == sim::Block::travelling && attend.keys != sim::Block::resident) {
      throw Error("where queries travel, keys stay", "program");
    }
    pass.runs = true;
    plan_.used[index_of(attend.share)] = true;
    plan_.gathers = plan_.gathers || attend.keys == sim::Block::all;
    const bool queries = attend.queries == sim::Block::travelling;
    pass.queries_travel = pass.queries_travel || queries;
    plan_.keeps_partials = plan_.keeps_partials || (queries && attend.pass == Pass::forward);
    if (queries || attend.keys == sim::Block::travelling) reads(attend.pass, attend.tensor, attend.slot, step);
  }
  void read(const sim::Merge& merge) {
    if (!merge.travelling) return;
    need(merge.into.tensor, merge.into.slot);
    if (merge.from) need(merge.into.tensor, *merge.from);
  }

  RingPlan& plan_;
};

}  // namespace

RingPlan::RingPlan(const sim::Program& ring_program, double score_scale, Tiling tiling)
    : program(ring_program), scale(score_scale), tile(tiling) {
  RoleReader(program, *this);
  if (roles(Pass::backward).runs && !roles(Pass::forward).runs) {
    throw Error("a backward pass needs the statistics of the forward pass in the same program");
  }
  const Shards& shards = program.shards;
  for (std::int64_t rank = 0; rank < program.ring(); ++rank) {
    positions.push_back(listed(shards.runs(rank)));
    Keys& keys = keys_.emplace_back();
    for (std::size_t half = 0; half < halves.size(); ++half) {
      keys.positions[half] = listed(shards.key_runs(rank, halves[half]));
      for (const std::int64_t position : keys.positions[half]) {
        const Positions& whole = keys.positions[0];
        keys.rows[half].push_back(std::lower_bound(whole.begin(), whole.end(), position) - whole.begin());
      }
    }
  }
  all_keys.resize(static_cast<std::size_t>(shards.cached() + shards.tokens()));
  std::iota(all_keys.begin(), all_keys.end(), 0);
}

AttentionSpec RingPlan::spec(std::int64_t layer) const {
  return {program.masks[program.mask_of_layer[static_cast<std::size_t>(layer)]], scale, tile};
}

HeadRange RingPlan::kv_heads(Share share) const {
  const Eigen::Index all = program.shape.heads.batch * program.shape.heads.kv_heads;
  const Eigen::Index first = (all + 1) / 2;
  if (share == Share::first_heads) return {0, first};
  return share == Share::second_heads ? HeadRange{first, all - first} : HeadRange{0, all};
}

HeadRange RingPlan::query_heads(Share share) const {
  const Eigen::Index group = program.shape.heads.query_heads / program.shape.heads.kv_heads;
  const HeadRange kv = kv_heads(share);
  return {kv.first * group, kv.count * group};
}

HeadShape RingPlan::heads(Share share) const {
  HeadShape heads = program.shape.heads;
  heads.batch = 1;
  heads.query_heads = query_heads(share).count;
  heads.kv_heads = kv_heads(share).count;
  return heads;
}

const Positions& RingPlan::key_positions(std::int64_t rank, Share share) const {
  return keys_[static_cast<std::size_t>(rank)].positions[half_of(share)];
}

const Positions& RingPlan::key_rows(std::int64_t rank, Share share) const {
  return keys_[static_cast<std::size_t>(rank)].rows[half_of(share)];
}

}  // namespace ringsim::host
