// What the operations of a program become on a rank: kernels of attention, and those that fold their results.

#include "kernels/cuda/executor/rank.hpp"
#include "kernels/host/overloaded.hpp"

namespace ringsim::cuda {

ForwardCall DeviceRank::forward_call(const sim::Attend& attend, std::int64_t layer, std::int64_t step,
                                     const Piece& piece) const {
  const KeyViews<Bf16> keys =
      travelling_keys(attend.tensor, attend.slot, attend.way, layer, step).part(piece.first_key, piece.keys);
  return {q_of(layer).part(piece.first_query, piece.queries),
          keys.k,
          keys.v,
          of_queries(partial_, heads_.value_dim).part(piece.first_query, piece.queries),
          of_queries(partial_lse_, 1).part(piece.first_query, piece.queries),
          piece.causal,
          plan_.scale};
}

BackwardCall DeviceRank::backward_call(const sim::Attend& attend, std::int64_t layer, std::int64_t step,
                                       const Piece& piece) const {
  const std::int64_t owner = plan_.program.owner(attend.way, rank_, step);
  const KeyViews<Bf16> keys =
      travelling_keys(attend.tensor, attend.slot, attend.way, layer, step).part(piece.first_key, piece.keys);
  const KeyViews<Bf16> gradient =
      key_contribution_.view(plan_.program.shards.block(owner)).part(piece.first_key, piece.keys);
  const auto part = [&](auto view) { return view.part(piece.first_query, piece.queries); };
  return {part(q_of(layer)),
          keys.k,
          keys.v,
          part(of_queries(at(layer).result, heads_.value_dim)),
          part(d_out_of(layer)),
          part(of_queries(at(layer).lse, 1)),
          part(of_queries(q_contribution_, heads_.query_key_dim)),
          gradient.k,
          gradient.v,
          piece.causal,
          plan_.scale};
}

bool DeviceRank::enqueue(const host::Instruction& instruction, cudaStream_t stream) {
  return std::visit(
      host::Overloaded{
          [&](const sim::Attend* what) { return attend(*what, instruction.layer, instruction.step, stream); },
          [&](const sim::Merge* what) { return merge(*what, instruction.layer, instruction.step, stream); },
          [&](const host::LayerEnd& what) { return end(what.pass, instruction.layer, stream); },
          [](const auto&) { return false; }},
      instruction.what);
}

bool DeviceRank::attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step, cudaStream_t stream) {
  // A kernel that starts an accumulator gives it its first value, if only zeros.
  const bool starts = attend.starts || !attend.starts_travelling.empty();
  if (!starts && piece(attend.way, layer, step).empty()) return false;
  if (attend.pass == Pass::forward) {
    attend_forward(attend, layer, step, stream);
  } else {
    attend_backward(attend, layer, step, stream);
  }
  return true;
}

void DeviceRank::attend_forward(const sim::Attend& attend, std::int64_t layer, std::int64_t step, cudaStream_t stream) {
  const Piece& piece = this->piece(attend.way, layer, step);
  const OutputAccumulator sum = output(layer);
  if (attend.starts && piece.queries < block()) clear_output(sum, stream);  // queries that see none of these keys
  if (piece.empty()) return;
  const ForwardCall call = forward_call(attend, layer, step, piece);
  const OutputAccumulator rows{sum.o.part(piece.first_query, piece.queries),
                               sum.lse.part(piece.first_query, piece.queries)};
  if (merges_itself(attend)) {
    merging_->forward_merging(call, rows, stream);
    return;
  }
  kernels_.forward(call, stream);
  if (attend.starts) start_output(rows, call.o, call.lse, stream);
}

void DeviceRank::attend_backward(const sim::Attend& attend, std::int64_t layer, std::int64_t step,
                                 cudaStream_t stream) {
  const Piece& piece = this->piece(attend.way, layer, step);
  const View<float> sum = q_gradient(layer);
  if (attend.starts && piece.queries < block()) clear(sum, stream);
  const BackwardCall call = backward_call(attend, layer, step, piece);
  if (!piece.empty()) {
    kernels_.backward(call, stream);
    if (attend.starts) convert(sum.part(piece.first_query, piece.queries), View<const Bf16>(call.dq), stream);
  }
  const std::int64_t keys = plan_.program.shards.block(plan_.program.owner(attend.way, rank_, step));
  for (const sim::Operand& started : attend.starts_travelling) {
    gradient_slot(started.tensor, started.slot, step).with_views(keys, [&](auto to) {
      if (piece.keys < keys) {
        clear(to.k, stream);
        clear(to.v, stream);
      }
      if (piece.empty()) return;
      convert(to.k.part(piece.first_key, piece.keys), View<const Bf16>(call.dk), stream);
      convert(to.v.part(piece.first_key, piece.keys), View<const Bf16>(call.dv), stream);
    });
  }
}

bool DeviceRank::merge(const sim::Merge& merge, std::int64_t layer, std::int64_t step, cudaStream_t stream) {
  const Piece& piece = this->piece(merge.way, layer, step);
  if (piece.empty()) return false;
  const auto part = [&](auto view) { return view.part(piece.first_query, piece.queries); };
  if (merge.accumulator == Accumulator::output) {
    if (merging_ != nullptr) return false;  // the kernel has done it
    const OutputAccumulator sum = output(layer);
    merge_output({part(sum.o), part(sum.lse)}, View<const Bf16>(part(of_queries(partial_, heads_.value_dim))),
                 View<const float>(part(of_queries(partial_lse_, 1))), stream);
    return true;
  }
  if (merge.accumulator == Accumulator::q_gradient) {
    add(part(q_gradient(layer)), View<const Bf16>(part(of_queries(q_contribution_, heads_.query_key_dim))), stream);
    return true;
  }
  const std::int64_t keys = plan_.program.shards.block(plan_.program.owner(merge.way, rank_, step));
  const KeyViews<Bf16> added = key_contribution_.view(keys).part(piece.first_key, piece.keys);
  gradient_slot(merge.into.tensor, merge.into.slot, step).with_views(keys, [&](auto into) {
    const auto seen = into.part(piece.first_key, piece.keys);
    add(seen.k, View<const Bf16>(added.k), stream);
    add(seen.v, View<const Bf16>(added.v), stream);
  });
  return true;
}

// What follows the attention reads O, and what follows its backward pass dQ, dK and dV, in bf16.
bool DeviceRank::end(Pass pass, std::int64_t layer, cudaStream_t stream) {
  if (pass == Pass::forward) {
    convert(of_queries(at(layer).result, heads_.value_dim), View<const float>(output(layer).o), stream);
    return true;
  }
  convert(of_queries(at(layer).q_gradient, heads_.query_key_dim), View<const float>(q_gradient(layer)), stream);
  const KeyViews<Bf16> to = key_gradient(layer);
  for (const host::TensorRole& role : plan_.roles(pass).gradients) {
    gradients_[role.tensor][role.slot].with_views(block(), [&]<class T>(KeyViews<T> home) {
      convert(to.k, View<const T>(home.k), stream);
      convert(to.v, View<const T>(home.v), stream);
    });
  }
  return true;
}

}  // namespace ringsim::cuda
