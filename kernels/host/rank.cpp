#include "kernels/host/rank.hpp"

#include "kernels/host/merge.hpp"
#include "models/error.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ringsim::host {
namespace {

// Copies the first `rows` rows of what both hold; elsewhere nothing changes.
template <class T>
void copy_rows(const Block<T>& from, Block<T>& to, std::int64_t rows) {
  for_each_tensor(from, to, [rows](const Heads<T>& source, Heads<T>& target) {
    for (std::size_t head = 0; head < std::min(source.size(), target.size()); ++head) {
      target[head].topRows(rows) = source[head].topRows(rows);
    }
  });
}

// Adds to the first rows of what both hold.
template <class T>
void add_rows(const Block<T>& from, Block<T>& to, std::int64_t rows) {
  for_each_tensor(from, to, [rows](const Heads<T>& source, Heads<T>& target) {
    for (std::size_t head = 0; head < std::min(source.size(), target.size()); ++head) {
      target[head].topRows(rows) += source[head].topRows(rows);
    }
  });
}

// A block of buffers: NaN until something is written.
template <class T>
Block<T> empty_buffer(const RingPlan& plan, bool queries, bool gradient) {
  const HeadShape& shape = plan.program.shape.heads;
  const auto heads = [&](std::int64_t count, std::int64_t dim) {
    return Heads<T>(static_cast<std::size_t>(shape.batch * count),
                    Matrix<T>::Constant(plan.program.shards.largest_block(), dim, std::numeric_limits<T>::quiet_NaN()));
  };
  Block<T> block;
  if (!queries) {
    block.k = heads(shape.kv_heads, shape.query_key_dim);
    block.v = heads(shape.kv_heads, shape.value_dim);
    return block;
  }
  block.q = heads(shape.query_heads, shape.query_key_dim);
  if (gradient) return block;
  block.d_out = heads(shape.query_heads, shape.value_dim);
  block.lse = heads(shape.query_heads, 1);
  block.delta = heads(shape.query_heads, 1);
  return block;
}

// The gradient's parts that belong to the queries, or to the keys.
template <class T>
Block<T> part_of(const Block<T>& gradient, bool queries) {
  Block<T> part;
  if (queries) {
    part.q = gradient.q;
  } else {
    part.k = gradient.k;
    part.v = gradient.v;
  }
  return part;
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
  [[nodiscard]] PassRoles& roles(Pass pass) { return plan_.roles_of_pass[pass == Pass::forward ? 0 : 1]; }
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

RingPlan::RingPlan(const sim::Program& ring_program, double score_scale, Eigen::Index key_tile)
    : program(ring_program), scale(score_scale), tile(key_tile) {
  RoleReader(program, *this);
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
Rank<T>::Rank(const RingPlan& plan, std::int64_t rank, std::vector<Block<T>> own)
    : plan_(plan), rank_(rank), own_(std::move(own)), outputs_(own_.size()), gradients_(own_.size()) {
  buffers_.resize(plan.slots.size());
  for (const PassRoles& roles : plan.roles_of_pass) {
    if (!roles.runs) continue;
    for (const bool gradient : {false, true}) {
      const std::size_t tensor = gradient ? roles.gradient : roles.operands;
      buffers_[tensor].assign(static_cast<std::size_t>(plan.slots[tensor]),
                              empty_buffer<T>(plan, roles.queries_travel, gradient));
    }
  }
}

template <class T>
void Rank<T>::begin(Pass pass, std::int64_t layer) {
  const PassRoles& roles = plan_.roles(pass);
  Block<T>& own = own_[static_cast<std::size_t>(layer)];
  if (pass == Pass::backward) {
    const Partial<T>& output = outputs_[static_cast<std::size_t>(layer)];
    own.lse = output.lse;
    own.delta = delta_of(own.d_out, output.o);
  }
  copy_rows(own, buffer(roles.operands, roles.operands_slot, 0), plan_.program.shards.block(rank_));
}

template <class T>
Placed<T> Rank<T>::placed(sim::Block which, const sim::Attend& attend, std::int64_t layer, std::int64_t step) {
  if (which == sim::Block::resident) {
    return {own_[static_cast<std::size_t>(layer)], plan_.positions[static_cast<std::size_t>(rank_)]};
  }
  return {buffer(plan_.roles(attend.pass).operands, attend.slot, step),
          plan_.positions[static_cast<std::size_t>(plan_.owner(rank_, step))]};
}

template <class T>
void Rank<T>::attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step) {
  const AttentionSpec spec = plan_.spec(layer);
  const Placed<T> queries = placed(attend.queries, attend, layer, step);
  const Placed<T> keys = placed(attend.keys, attend, layer, step);
  const std::int64_t travelling = plan_.owner(rank_, step);
  const bool queries_travel = attend.queries == sim::Block::travelling;
  masked_ =
      plan_.program.shards.work(queries_travel ? travelling : rank_, queries_travel ? rank_ : travelling, spec.mask)
          .masked();
  if (masked_ && step > 0) return;  // at step 0 the kernel's result is the accumulator's first value, if only zeros
  if (attend.pass == Pass::forward) {
    (step == 0 ? output_ : partial_) = host::attend(spec, queries, keys);
    return;
  }
  contribution_ = attend_backward(spec, queries, keys);
  if (step > 0) return;
  const PassRoles& roles = plan_.roles(attend.pass);
  resident_ = part_of(contribution_, !queries_travel);
  copy_rows(contribution_, buffer(roles.gradient, roles.gradient_slot, step), plan_.program.shards.block(travelling));
}

template <class T>
void Rank<T>::merge(const sim::Merge& merge, std::int64_t step) {
  if (masked_) return;
  if (merge.accumulator == Accumulator::output) {
    host::merge(output_, partial_);
    return;
  }
  const bool queries = merge.accumulator == Accumulator::q_gradient;
  if (merge.travelling) {
    const PassRoles& roles = plan_.roles(merge.pass);
    add_rows(part_of(contribution_, queries), buffer(roles.gradient, roles.gradient_slot, step),
             plan_.program.shards.block(plan_.owner(rank_, step)));
  } else {
    add_rows(part_of(contribution_, queries), resident_, plan_.program.shards.block(rank_));
  }
}

template <class T>
void Rank<T>::end(Pass pass, std::int64_t layer, std::int64_t gradient_step) {
  if (pass == Pass::forward) {
    outputs_[static_cast<std::size_t>(layer)] = output_;
    return;
  }
  const PassRoles& roles = plan_.roles(pass);
  Block<T>& gradient = gradients_[static_cast<std::size_t>(layer)];
  gradient = part_of(buffer(roles.gradient, roles.gradient_slot, gradient_step), roles.queries_travel);
  const Block<T> stayed = part_of(resident_, !roles.queries_travel);
  for_each_tensor(stayed, gradient, [](const Heads<T>& from, Heads<T>& to) {
    if (!from.empty()) to = from;
  });
}

template <class T>
void Rank<T>::send(const sim::Shift& shift, std::int64_t step, Rank& next) {
  for (const sim::ShiftItem& item : shift.items) {
    copy_rows(buffer(item.tensor, item.from, step), next.buffer(item.tensor, item.to, step),
              plan_.program.shards.block(plan_.owner(rank_, step - item.lag)));
  }
}

template class Rank<float>;
template class Rank<double>;

}  // namespace ringsim::host
