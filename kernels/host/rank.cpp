#include "kernels/host/rank.hpp"

#include "kernels/host/merge.hpp"

#include <algorithm>
#include <utility>

namespace ringsim::host {
namespace {

using sim::Share;

// Memory of a tensor that holds a range of its heads.
template <class T>
std::span<T> elements(HeadsView<T> tensor) {
  return {tensor.data, static_cast<std::size_t>(tensor.elements())};
}

BlockShape side_of(const HeadShape& heads, bool queries, bool gradient, bool statistics) {
  if (!queries) return key_block(heads);
  return gradient || !statistics ? query_gradient_block(heads) : query_block(heads);
}

}  // namespace

template <class T>
Rank<T>::Rank(const RingPlan& plan, std::int64_t rank) : plan_(plan), rank_(rank), buffers_(plan.slots.size()) {
  make_results();
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    if (plan.roles(pass).runs) make_tensors(pass);
  }
}

template <class T>
void Rank<T>::make_results() {
  const HeadShape& heads = plan_.program.shape.heads;
  const Shards& shards = plan_.program.shards;
  const std::int64_t queries = shards.largest_block();
  const std::int64_t keys = shards.largest_keys();
  const bool trains = plan_.roles(Pass::backward).runs;
  for (std::int64_t layer = 0; layer < plan_.program.layers(); ++layer) {
    own_.push_back({Buffer<T>(side_of(heads, true, false, trains), queries), Buffer<T>(key_block(heads), keys)});
    outputs_.emplace_back(output_block(heads), queries);
    if (trains)
      gradients_.push_back({Buffer<T>(query_gradient_block(heads), queries), Buffer<T>(key_block(heads), keys)});
  }
  for (std::size_t share = 0; share < shares; ++share) {
    if (!plan_.used[share]) continue;
    const HeadShape part = plan_.heads(static_cast<Share>(share));
    partial_[share] = Buffer<T>(output_block(part), queries);
    if (trains) {
      contribution_[share] = {Buffer<T>(query_gradient_block(part), queries), Buffer<T>(key_block(part), keys)};
    }
  }
  for (std::int64_t step = 0; plan_.keeps_partials && step < plan_.program.ring(); ++step) {
    kept_.emplace_back(output_block(heads), queries);
    returned_.emplace_back(output_block(heads), queries);
  }
  if (!plan_.gathers) return;
  gathered_ = Buffer<T>(key_block(heads), std::ssize(plan_.all_keys));
  if (trains) gathered_gradient_ = Buffer<T>(key_block(heads), std::ssize(plan_.all_keys));
}

template <class T>
void Rank<T>::make_tensors(Pass pass) {
  const PassRoles& roles = plan_.roles(pass);
  for (const bool gradient : {false, true}) {
    for (const TensorRole& role : gradient ? roles.gradients : roles.operands) {
      const sim::Tensor& tensor = plan_.program.tensors[role.tensor];
      const std::int64_t rows = plan_.program.tokens_of(tensor, 0);
      const BlockShape shape =
          side_of(plan_.heads(tensor.share), of_queries(role.tensor), gradient, pass == Pass::backward);
      if (!gradient) {
        std::vector<Buffer<T>>& copies = staged_[index_of(pass)].emplace_back();
        for (std::int64_t layer = 0; layer < plan_.program.layers(); ++layer) copies.emplace_back(shape, rows);
      }
      if (!buffers_[role.tensor].empty()) continue;  // the other pass has made them
      for (std::int64_t slot = 0; slot < plan_.slots[role.tensor]; ++slot) {
        buffers_[role.tensor].emplace_back(shape, rows);
      }
    }
  }
}

template <class T>
void Rank<T>::prepare() {
  const auto empty = [](std::vector<Buffer<T>>& buffers) {
    for (Buffer<T>& buffer : buffers) buffer.fill_nan();
  };
  for (auto& slots : buffers_) empty(slots);
  for (auto* buffers : {&outputs_, &kept_, &returned_}) empty(*buffers);
  for (std::size_t share = 0; share < shares; ++share) {
    if (!plan_.used[share]) continue;
    partial_[share].fill_nan();
    for (const bool queries : {true, false}) contribution_[share][queries].fill_nan();
  }
  for (const bool queries : {true, false}) {
    for (Sides& gradient : gradients_) gradient[queries].fill_nan();
  }
  gathered_.fill_nan();
  gathered_gradient_.fill_nan();
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    if (!plan_.roles(pass).runs) continue;
    for (std::int64_t layer = 0; layer < plan_.program.layers(); ++layer) stage(pass, layer);
  }
}

template <class T>
void Rank<T>::stage(Pass pass, std::int64_t layer) {
  const std::vector<TensorRole>& operands = plan_.roles(pass).operands;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const sim::Tensor& tensor = plan_.program.tensors[operands[i].tensor];
    Buffer<T>& copy = staged_[index_of(pass)][i][at(layer)];
    if (tensor.share == Share::whole) {
      const bool queries = of_queries(operands[i].tensor);
      const std::int64_t rows = queries ? block() : keys();
      // A forward pass sends less of a query than a backward pass keeps: the front of it.
      const std::span<T> to = copy.elements(rows);
      std::copy_n(own_[at(layer)][queries].elements(rows).begin(), to.size(), to.begin());
    } else {
      take_rows<T>(heads_of(own_keys(layer), plan_, tensor.share), plan_.key_rows(rank_, tensor.share),
                   copy.view(plan_.program.tokens_of(tensor, rank_)));
    }
  }
}

template <class T>
void Rank<T>::begin(Pass pass, std::int64_t layer) {
  const PassRoles& roles = plan_.roles(pass);
  BlockView<T> queries = own_queries(layer);
  for (std::size_t i = 0; i < roles.operands.size(); ++i) {
    const TensorRole& role = roles.operands[i];
    Buffer<T>& first = buffers_[role.tensor][role.slot];
    std::swap(first, staged_[index_of(pass)][i][at(layer)]);
    if (of_queries(role.tensor)) queries = first.view(block());
  }
  if (pass == Pass::forward) return;
  const BlockView<const T> output = this->output(layer);
  std::copy_n(output.lse.data, output.lse.elements(), queries.lse.data);
  delta_of<T>(queries.d_out, output.o, queries.delta);
}

template <class T>
std::int64_t Rank<T>::owner(sim::Block which, const sim::Attend& attend, std::int64_t step) const {
  return which == sim::Block::travelling ? plan_.program.owner(attend.way, rank_, step) : rank_;
}

template <class T>
Placed<T> Rank<T>::queries_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step) {
  const std::int64_t owner = this->owner(attend.queries, attend, step);
  const Positions& positions = plan_.positions[at(owner)];
  if (attend.queries == sim::Block::resident) {
    return {heads_of<const T>(own_queries(layer), plan_, attend.share), positions};
  }
  return {buffer(attend.tensor, attend.slot, step).view(std::ssize(positions)), positions};
}

template <class T>
Placed<T> Rank<T>::keys_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step) {
  if (attend.keys == sim::Block::all) return {gathered(), plan_.all_keys};
  const std::int64_t owner = this->owner(attend.keys, attend, step);
  const Positions& positions = plan_.key_positions(owner, attend.share);
  if (attend.keys == sim::Block::resident) return {own_keys(layer), positions};
  return {buffer(attend.tensor, attend.slot, step).view(std::ssize(positions)), positions};
}

template <class T>
BlockView<T> Rank<T>::output_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step) {
  if (attend.starts) return outputs_[at(layer)].view(block());
  if (attend.queries == sim::Block::resident) return partial_[index_of(attend.share)].view(block());
  return kept_[at(step)].view(plan_.program.shards.block(owner(attend.queries, attend, step)));
}

// Where a kernel's contribution to the gradient of one side of its blocks goes.
template <class T>
BlockView<T> Rank<T>::gradient_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step, bool queries) {
  if (!queries && attend.keys == sim::Block::all) return gathered_gradient();
  const std::int64_t owner = this->owner(queries ? attend.queries : attend.keys, attend, step);
  const std::int64_t rows =
      queries ? plan_.program.shards.block(owner) : std::ssize(plan_.key_positions(owner, attend.share));
  const bool stays = queries != (attend.queries == sim::Block::travelling);
  if (stays && attend.starts) return gradients_[at(layer)][queries].view(rows);
  if (!stays && attend.starts_travelling.size() == 1) {
    const sim::Operand& started = attend.starts_travelling.front();
    return buffer(started.tensor, started.slot, step).view(rows);
  }
  return contribution_[index_of(attend.share)][queries].view(rows);
}

// A whole block's gradient is the start of the gradients of its halves.
template <class T>
void Rank<T>::share_out(const sim::Attend& attend, std::int64_t step) {
  if (attend.starts_travelling.size() < 2) return;
  const BlockView<const T> whole = contribution_[index_of(attend.share)].keys.view(keys());
  for (const sim::Operand& started : attend.starts_travelling) {
    const sim::Tensor& tensor = plan_.program.tensors[started.tensor];
    take_rows<T>(heads_of(whole, plan_, tensor.share), plan_.key_rows(rank_, tensor.share),
                 buffer(started.tensor, started.slot, step).view(plan_.program.tokens_of(tensor, rank_)));
  }
}

template <class T>
bool Rank<T>::attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step, Progress progress) {
  // A kernel that starts an accumulator writes its first value, if only zeros.
  const bool must = attend.starts || !attend.starts_travelling.empty();
  if (!must && plan_.program.work(attend, layer, step, rank_).masked()) return false;
  const AttentionSpec spec = plan_.spec(layer);
  const Placed<T> queries = queries_of(attend, layer, step);
  const Placed<T> keys = keys_of(attend, layer, step);
  if (attend.pass == Pass::forward) {
    host::attend(spec, queries, keys, workspace_, output_of(attend, layer, step), progress);
    return true;
  }
  BlockView<T> gradient = gradient_of(attend, layer, step, false);
  gradient.q = gradient_of(attend, layer, step, true).q;
  attend_backward(spec, queries, keys, workspace_, gradient, progress);
  share_out(attend, step);
  return true;
}

template <class T>
bool Rank<T>::merge(const sim::Merge& merge, std::int64_t layer, std::int64_t step, Progress progress) {
  if (plan_.program.work(merge, layer, step, rank_).masked()) return false;
  const std::size_t share = index_of(merge.share);
  if (merge.accumulator == Accumulator::output) {
    Buffer<T>& partial = merge.returned ? returned_[at(step)] : partial_[share];
    host::merge<T>(heads_of(outputs_[at(layer)].view(block()), plan_, merge.share), partial.view(block()), progress);
    return true;
  }
  const bool queries = merge.accumulator == Accumulator::q_gradient;
  if (merge.travelling) {
    const std::size_t tensor = merge.into.tensor;
    const std::int64_t rows =
        plan_.program.tokens_of(plan_.program.tensors[tensor], plan_.program.owner(merge.way, rank_, step));
    Buffer<T>& added = merge.from ? buffer(tensor, *merge.from, step) : contribution_[share][queries];
    add<T>(buffer(tensor, merge.into.slot, step).elements(rows), added.elements(rows), progress);
  } else if (queries) {
    add<T>(elements(heads_of(gradients_[at(layer)].queries.view(block()), plan_, merge.share).q),
           contribution_[share].queries.elements(block()), progress);
  } else {
    add<T>(gradients_[at(layer)].keys.elements(keys()), contribution_[share].keys.elements(keys()), progress);
  }
  return true;
}

template <class T>
void Rank<T>::end(Pass pass, std::int64_t layer) {
  for (const TensorRole& role : plan_.roles(pass).gradients) {
    const sim::Tensor& tensor = plan_.program.tensors[role.tensor];
    Buffer<T>& home = buffers_[role.tensor][role.slot];
    if (tensor.share == Share::whole) {
      std::swap(gradients_[at(layer)][of_queries(role.tensor)], home);
    } else {
      put_rows<T>(home.view(plan_.program.tokens_of(tensor, rank_)), plan_.key_rows(rank_, tensor.share),
                  heads_of(key_gradient(layer), plan_, tensor.share));
    }
  }
}

template <class T>
void Rank<T>::outgoing(const sim::Shift& shift, std::int64_t step, std::vector<std::span<const T>>& messages,
                       sim::Way way) {
  messages.clear();
  const sim::Program& program = plan_.program;
  for (const sim::ShiftItem& item : shift.items) {
    if (item.way != way) continue;
    const std::int64_t tokens =
        program.tokens_of(program.tensors[item.tensor], program.owner(way, rank_, step - item.lag));
    messages.push_back(buffer(item.tensor, item.from, step).elements(tokens));
  }
}

template <class T>
void Rank<T>::incoming(const sim::Shift& shift, std::int64_t step, std::vector<std::span<T>>& messages, sim::Way way) {
  messages.clear();
  const sim::Program& program = plan_.program;
  const std::int64_t sender = program.source(way, rank_);
  for (const sim::ShiftItem& item : shift.items) {
    if (item.way != way) continue;
    const std::int64_t tokens =
        program.tokens_of(program.tensors[item.tensor], program.owner(way, sender, step - item.lag));
    messages.push_back(buffer(item.tensor, item.to, step).elements(tokens));
  }
}

template <class T>
BlockView<const T> Rank<T>::gradient(std::int64_t layer) const {
  if (gradients_.empty()) return {};
  BlockView<const T> gradient = gradients_[at(layer)].keys.view(keys());
  gradient.q = gradients_[at(layer)].queries.view(block()).q;
  return gradient;
}

template class Rank<float>;
template class Rank<double>;

}  // namespace ringsim::host
