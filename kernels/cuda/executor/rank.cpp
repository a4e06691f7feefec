#include "kernels/cuda/executor/rank.hpp"

#include "models/error.hpp"

#include <algorithm>

namespace ringsim::cuda {
namespace {

std::size_t size(std::int64_t elements) { return static_cast<std::size_t>(elements); }

// Of what an executor for K/V rings does not have, the operations tell; the scenario's limits (limits.hpp) say it in its own words.
void check_operations(const sim::Program& program) {
  const auto refuse = [](const char* what) {
    throw Error(std::string(what) + " cannot be executed on a GPU", "program");
  };
  sim::for_each_operation(program.body, [&](const sim::Operation& operation) {
    if (std::holds_alternative<sim::Collective>(operation.what)) refuse("collectives");
    if (std::holds_alternative<sim::Dense>(operation.what)) refuse("layers beside attention");
    if (std::holds_alternative<sim::Send>(operation.what)) refuse("pipelines");
    if (const auto* attend = std::get_if<sim::Attend>(&operation.what)) {
      if (attend->queries != sim::Block::resident || attend->keys != sim::Block::travelling)
        refuse("travelling queries");
      if (attend->share != sim::Share::whole) refuse("halves of blocks");
    }
    if (const auto* merge = std::get_if<sim::Merge>(&operation.what)) {
      if (merge->returned || merge->from) refuse("rings of several levels");
    }
    if (const auto* shift = std::get_if<sim::Shift>(&operation.what)) {
      for (const sim::ShiftItem& item : shift->items) {
        if (item.way != sim::Way::up) refuse("rings that go other ways than up");
      }
    }
  });
}

}  // namespace

DeviceRank::DeviceRank(const host::RingPlan& plan, const host::IssueList& list, std::int64_t rank,
                       AttentionKernels& kernels, MergingKernel* merging)
    : plan_(plan),
      rank_(rank),
      kernels_(kernels),
      merging_(merging),
      heads_(plan.program.shape.heads),
      trains_(plan.roles(Pass::backward).runs) {
  check_operations(plan.program);
  find_pieces();
  make_layers();
  make_slots();
  const std::int64_t rows = query_heads() * block();
  partial_ = Memory<Bf16>(size(rows * heads_.value_dim));
  partial_lse_ = Memory<float>(size(rows));
  bytes_ += partial_.bytes() + partial_lse_.bytes();
  if (trains_) {
    const std::int64_t keys = plan.program.shards.largest_block();
    q_contribution_ = Memory<Bf16>(size(rows * heads_.query_key_dim));
    key_contribution_ = KeyBlock<Bf16>(heads_, keys);
    bytes_ += q_contribution_.bytes() + key_contribution_.bytes(keys);
  }
  prepare(list);
}

void DeviceRank::make_layers() {
  const std::int64_t rows = query_heads() * block();
  for (std::int64_t i = 0; i < plan_.program.layers(); ++i) {
    Layer& layer = layers_.emplace_back();
    layer.q = Memory<Bf16>(size(rows * heads_.query_key_dim));
    layer.keys = KeyBlock<Bf16>(heads_, block());
    layer.output = Memory<float>(size(rows * heads_.value_dim));
    layer.lse = Memory<float>(size(rows));
    layer.result = Memory<Bf16>(size(rows * heads_.value_dim));
    bytes_ +=
        layer.q.bytes() + layer.keys.bytes(block()) + layer.output.bytes() + layer.lse.bytes() + layer.result.bytes();
    if (!trains_) continue;
    layer.d_out = Memory<Bf16>(size(rows * heads_.value_dim));
    layer.q_sum = Memory<float>(size(rows * heads_.query_key_dim));
    layer.q_gradient = Memory<Bf16>(size(rows * heads_.query_key_dim));
    layer.key_gradient = KeyBlock<Bf16>(heads_, block());
    bytes_ += layer.d_out.bytes() + layer.q_sum.bytes() + layer.q_gradient.bytes() + layer.key_gradient.bytes(block());
  }
}

void DeviceRank::make_slots() {
  slots_.resize(plan_.slots.size());
  gradients_.resize(plan_.slots.size());
  const std::int64_t largest = plan_.program.shards.largest_block();
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    const host::PassRoles& roles = plan_.roles(pass);
    for (const host::TensorRole& role : roles.operands) {
      for (auto& slots = slots_[role.tensor]; std::ssize(slots) < plan_.slots[role.tensor];) {
        bytes_ += slots.emplace_back(heads_, largest).bytes(largest);
      }
    }
    for (const host::TensorRole& role : roles.gradients) {
      for (auto& slots = gradients_[role.tensor]; std::ssize(slots) < plan_.slots[role.tensor];) {
        bytes_ += slots.emplace_back(plan_.program.shape.gradient, heads_, largest).bytes(largest);
      }
    }
  }
}

// Plans of kernels, for every shape that occurs: none is built while anything is timed.
void DeviceRank::prepare(const host::IssueList& list) {
  for (const host::Instruction& instruction : list.instructions) {
    const auto* const* what = std::get_if<const sim::Attend*>(&instruction.what);
    if (what == nullptr) continue;
    const sim::Attend& attend = **what;
    const Piece& piece = this->piece(attend.way, instruction.layer, instruction.step);
    if (piece.empty()) continue;
    if (attend.pass == Pass::backward) {
      kernels_.prepare(backward_call(attend, instruction.layer, instruction.step, piece));
    } else if (merges_itself(attend)) {
      merging_->prepare_merging(forward_call(attend, instruction.layer, instruction.step, piece));
    } else {
      kernels_.prepare(forward_call(attend, instruction.layer, instruction.step, piece));
    }
  }
}

void DeviceRank::poison(cudaStream_t stream) {
  for (Layer& layer : layers_) {
    for (Memory<float>* memory : {&layer.output, &layer.lse, &layer.q_sum}) memory->poison(stream);
    for (Memory<Bf16>* memory : {&layer.result, &layer.q_gradient}) memory->poison(stream);
    layer.key_gradient.poison(stream);
  }
  for (auto& slots : slots_) {
    for (KeyBlock<Bf16>& slot : slots) slot.poison(stream);
  }
  for (auto& slots : gradients_) {
    for (GradientBlock& slot : slots) slot.poison(stream);
  }
  partial_.poison(stream);
  partial_lse_.poison(stream);
  q_contribution_.poison(stream);
  key_contribution_.poison(stream);
}

// Once: finding them takes longer than enqueuing a kernel may.
void DeviceRank::find_pieces() {
  for (const Mask& mask : plan_.program.masks) {
    std::vector<Piece>& of_owners = pieces_.emplace_back();
    for (const host::Positions& keys : plan_.positions) {
      of_owners.push_back(piece_of(mask, plan_.positions[size(rank_)], keys));
    }
  }
}

const Piece& DeviceRank::piece(sim::Way way, std::int64_t layer, std::int64_t step) const {
  return pieces_[plan_.program.mask_of_layer[size(layer)]][size(plan_.program.owner(way, rank_, step))];
}

KeyViews<Bf16> DeviceRank::travelling_keys(std::size_t tensor, const sim::Slot& slot, sim::Way way, std::int64_t layer,
                                           std::int64_t step) const {
  const std::int64_t owner = plan_.program.owner(way, rank_, step);
  if (owner == rank_) return at(layer).keys.view(block());
  return slots_[tensor][host::index_of(slot, step)].view(plan_.program.shards.block(owner));
}

Message DeviceRank::message(const sim::ShiftItem& item, const sim::Slot& slot, std::int64_t layer, std::int64_t step,
                            std::int64_t owner) const {
  const std::int64_t tokens = plan_.program.shards.block(owner);
  if (!gradients_[item.tensor].empty()) {
    const GradientBlock& block = gradient_slot(item.tensor, slot, step);
    return {block.data(), block.bytes(tokens)};
  }
  const KeyBlock<Bf16>& block = owner == rank_ ? at(layer).keys : slots_[item.tensor][host::index_of(slot, step)];
  return {block.data(), block.bytes(tokens)};
}

std::vector<Message> DeviceRank::outgoing(const sim::Shift& shift, std::int64_t layer, std::int64_t step) const {
  std::vector<Message> messages;
  messages.reserve(shift.items.size());
  for (const sim::ShiftItem& item : shift.items) {
    messages.push_back(message(item, item.from, layer, step, plan_.program.owner(item.way, rank_, step - item.lag)));
  }
  return messages;
}

std::vector<Message> DeviceRank::incoming(const sim::Shift& shift, std::int64_t layer, std::int64_t step) const {
  std::vector<Message> messages;
  messages.reserve(shift.items.size());
  for (const sim::ShiftItem& item : shift.items) {
    const std::int64_t sender = plan_.program.source(item.way, rank_);
    messages.push_back(message(item, item.to, layer, step, plan_.program.owner(item.way, sender, step - item.lag)));
  }
  return messages;
}

OutputAccumulator DeviceRank::output(std::int64_t layer) const {
  return {of_queries(at(layer).output, heads_.value_dim), of_queries(at(layer).lse, 1)};
}

View<float> DeviceRank::q_gradient(std::int64_t layer) const {
  return of_queries(at(layer).q_sum, heads_.query_key_dim);
}

}  // namespace ringsim::cuda
