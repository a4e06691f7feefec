#include "kernels/host/rank.hpp"

#include "kernels/host/merge.hpp"
#include "models/error.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::host {
namespace {

template <class T>
void copy(HeadsView<const T> from, HeadsView<T> to) {
  std::copy_n(from.data, from.elements(), to.data);
}

// What the operations of a program say about the buffers' roles.
class RoleReader {
 public:
  RoleReader(const sim::Program& program, RingPlan& plan) : plan_(plan) {
    const std::size_t tensors = program.tensors.size();
    plan.slots.assign(tensors + 4, 1);
    for (std::size_t pass = 0; pass < 2; ++pass) {
      plan.roles_of_pass[pass].operands = tensors + 2 * pass;
      plan.roles_of_pass[pass].gradient = tensors + 2 * pass + 1;
    }
    sim::for_each_execution(program.body, [this](const sim::Operation& operation, std::int64_t, std::int64_t) {
      if (const auto* shift = std::get_if<sim::Shift>(&operation.what)) read(*shift);
    });
    sim::for_each_execution(program.body, [this](const sim::Operation& operation, std::int64_t, std::int64_t) {
      if (const auto* attend = std::get_if<sim::Attend>(&operation.what)) read(*attend);
    });
  }

 private:
  [[nodiscard]] PassRoles& roles(Pass pass) { return plan_.roles_of_pass[index_of(pass)]; }
  void need(std::size_t tensor, const sim::Slot& slot) {
    plan_.slots[tensor] = std::max(plan_.slots[tensor], slot.count);
  }
  void read(const sim::Shift& shift) {
    for (const sim::ShiftItem& item : shift.items) {
      need(item.tensor, item.from);
      need(item.tensor, item.to);
      if (item.lag == 0) {
        roles(shift.pass).operands = item.tensor;
      } else {
        roles(shift.pass).gradient = item.tensor;
        roles(shift.pass).gradient_slot = item.to;
      }
    }
  }
  void read(const sim::Attend& attend) {
    PassRoles& pass = roles(attend.pass);
    if (attend.queries == attend.keys) throw Error("one of queries and keys travels, the other stays");
    pass.runs = true;
    pass.queries_travel = attend.queries == sim::Block::travelling;
    pass.operands_slot = attend.slot;
    need(pass.operands, attend.slot);
    if (attend.pass == Pass::forward && pass.queries_travel) {
      throw Error("a forward pass with travelling queries has no executor yet");
    }
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
  for (std::int64_t rank = 0; rank < program.ring(); ++rank) {
    Positions& places = positions.emplace_back();
    for (const TokenRun& run : program.shards.runs(rank)) {
      for (std::int64_t i = 0; i < run.count; ++i) places.push_back(run.first + i * run.stride);
    }
  }
}

std::int64_t RingPlan::owner(std::int64_t rank, std::int64_t step) const {
  const std::int64_t n = program.ring();
  return ((rank - step) % n + n) % n;
}

AttentionSpec RingPlan::spec(std::int64_t layer) const {
  return {program.masks[program.mask_of_layer[static_cast<std::size_t>(layer)]], scale, tile};
}

template <class T>
Rank<T>::Rank(const RingPlan& plan, std::int64_t rank) : plan_(plan), rank_(rank), buffers_(plan.slots.size()) {
  const HeadShape& heads = plan.program.shape.heads;
  const std::int64_t largest = plan.program.shards.largest_block();
  const bool trains = plan.roles(Pass::backward).runs;
  const BlockShape queries = trains ? query_block(heads) : query_gradient_block(heads);
  const auto side = [&](bool of_queries, bool gradient) {
    return of_queries ? (gradient ? query_gradient_block(heads) : queries) : key_block(heads);
  };
  for (std::int64_t layer = 0; layer < plan.program.layers(); ++layer) {
    own_.push_back({Buffer<T>(side(true, false), largest), Buffer<T>(side(false, false), largest)});
    outputs_.emplace_back(output_block(heads), largest);
    if (trains) gradients_.push_back({Buffer<T>(side(true, true), largest), Buffer<T>(side(false, true), largest)});
  }
  partial_ = Buffer<T>(output_block(heads), largest);
  if (trains) contribution_ = {Buffer<T>(side(true, true), largest), Buffer<T>(side(false, true), largest)};
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    const PassRoles& roles = plan.roles(pass);
    if (!roles.runs) continue;
    for (std::int64_t layer = 0; layer < plan.program.layers(); ++layer) {
      staged_[index_of(pass)].emplace_back(side(roles.queries_travel, false), largest);
    }
    for (const bool gradient : {false, true}) {
      if (gradient && pass == Pass::forward) continue;
      const std::size_t tensor = gradient ? roles.gradient : roles.operands;
      for (std::int64_t slot = 0; slot < plan.slots[tensor]; ++slot) {
        buffers_[tensor].emplace_back(side(roles.queries_travel, gradient), largest);
      }
    }
  }
}

template <class T>
void Rank<T>::prepare() {
  for (auto& slots : buffers_) {
    for (Buffer<T>& slot : slots) slot.fill_nan();
  }
  for (Buffer<T>& output : outputs_) output.fill_nan();
  partial_.fill_nan();
  for (const bool queries : {true, false}) {
    for (Sides& gradient : gradients_) gradient[queries].fill_nan();
    contribution_[queries].fill_nan();
  }
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (std::size_t layer = 0; layer < staged_[index_of(pass)].size(); ++layer) {
      const std::span<const T> own = own_[layer][plan_.roles(pass).queries_travel].elements(block(rank_));
      std::copy(own.begin(), own.end(), staged_[index_of(pass)][layer].elements(block(rank_)).begin());
    }
  }
}

template <class T>
void Rank<T>::begin(Pass pass, std::int64_t layer) {
  const PassRoles& roles = plan_.roles(pass);
  Buffer<T>& first = buffer(roles.operands, roles.operands_slot, 0);
  std::swap(first, staged_[index_of(pass)][at(layer)]);
  if (pass == Pass::forward) return;
  const BlockView<const T> output = this->output(layer);
  const BlockView<T> queries = roles.queries_travel ? first.view(block(rank_)) : own_queries(layer);
  copy<T>(output.lse, queries.lse);
  delta_of<T>(queries.d_out, output.o, queries.delta);
}

template <class T>
Placed<T> Rank<T>::placed(bool queries, sim::Block which, const sim::Attend& attend, std::int64_t layer,
                          std::int64_t step) {
  const bool resident = which == sim::Block::resident;
  const std::int64_t owner = resident ? rank_ : plan_.owner(rank_, step);
  Buffer<T>& memory =
      resident ? own_[at(layer)][queries] : buffer(plan_.roles(attend.pass).operands, attend.slot, step);
  return {memory.view(block(owner)), plan_.positions[static_cast<std::size_t>(owner)]};
}

template <class T>
bool Rank<T>::attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step, Progress progress) {
  const AttentionSpec spec = plan_.spec(layer);
  const std::int64_t travelling = plan_.owner(rank_, step);
  const bool queries_travel = attend.queries == sim::Block::travelling;
  masked_ =
      plan_.program.shards.work(queries_travel ? travelling : rank_, queries_travel ? rank_ : travelling, spec.mask)
          .masked();
  if (masked_ && step > 0) return false;  // the kernel of step 0 writes the accumulator's first value, if only zeros
  const Placed<T> queries = placed(true, attend.queries, attend, layer, step);
  const Placed<T> keys = placed(false, attend.keys, attend, layer, step);
  if (attend.pass == Pass::forward) {
    Buffer<T>& result = step == 0 ? outputs_[at(layer)] : partial_;
    host::attend(spec, queries, keys, workspace_, result.view(block(rank_)), progress);
    return true;
  }
  const PassRoles& roles = plan_.roles(attend.pass);
  const auto result = [&](bool of_queries) -> Buffer<T>& {
    if (step > 0) return contribution_[of_queries];
    if (of_queries == queries_travel) return buffer(roles.gradient, roles.gradient_slot, step);
    return gradients_[at(layer)][of_queries];
  };
  BlockView<T> gradient = result(false).view(block(queries_travel ? rank_ : travelling));
  gradient.q = result(true).view(block(queries_travel ? travelling : rank_)).q;
  attend_backward(spec, queries, keys, workspace_, gradient, progress);
  return true;
}

template <class T>
bool Rank<T>::merge(const sim::Merge& merge, std::int64_t layer, std::int64_t step, Progress progress) {
  if (masked_) return false;
  if (merge.accumulator == Accumulator::output) {
    host::merge<T>(outputs_[at(layer)].view(block(rank_)), partial_.view(block(rank_)), progress);
    return true;
  }
  const bool queries = merge.accumulator == Accumulator::q_gradient;
  const PassRoles& roles = plan_.roles(merge.pass);
  Buffer<T>& accumulator =
      merge.travelling ? buffer(roles.gradient, roles.gradient_slot, step) : gradients_[at(layer)][queries];
  const std::int64_t rows = block(merge.travelling ? plan_.owner(rank_, step) : rank_);
  add<T>(accumulator.elements(rows), contribution_[queries].elements(rows), progress);
  return true;
}

template <class T>
void Rank<T>::end(Pass pass, std::int64_t layer, std::int64_t gradient_step) {
  if (pass == Pass::forward) return;
  const PassRoles& roles = plan_.roles(pass);
  std::swap(gradients_[at(layer)][roles.queries_travel], buffer(roles.gradient, roles.gradient_slot, gradient_step));
}

template <class T>
void Rank<T>::outgoing(const sim::Shift& shift, std::int64_t step, std::vector<std::span<const T>>& messages) {
  messages.clear();
  for (const sim::ShiftItem& item : shift.items) {
    messages.push_back(buffer(item.tensor, item.from, step).elements(block(plan_.owner(rank_, step - item.lag))));
  }
}

template <class T>
void Rank<T>::incoming(const sim::Shift& shift, std::int64_t step, std::vector<std::span<T>>& messages) {
  messages.clear();
  for (const sim::ShiftItem& item : shift.items) {
    messages.push_back(buffer(item.tensor, item.to, step).elements(block(plan_.owner(rank_ - 1, step - item.lag))));
  }
}

template <class T>
BlockView<const T> Rank<T>::gradient(std::int64_t layer) const {
  if (gradients_.empty()) return {};
  BlockView<const T> gradient = gradients_[at(layer)].keys.view(block(rank_));
  gradient.q = gradients_[at(layer)].queries.view(block(rank_)).q;
  return gradient;
}

template class Rank<float>;
template class Rank<double>;

}  // namespace ringsim::host
