#pragma once
// One rank of a ring: its buffers and what the operations of a program do to them.
//
//   buffers of a tensor     slots for the largest block, addressed by the operations; empty at first, which is NaN
//   own blocks              of every layer: what its projections made (Q, K, V, dO) and what its forward pass saved for
//                           the backward one (LSE, delta); kept from run to run
//   staged blocks           copies of those that will travel: where a layer begins, its copy and the slot that it is first
//                           read from swap their memory
//   partial, contribution   results of the latest kernel of a share, until a Merge folds them in; where queries travel
//                           forward, results of every step until they are returned
//   gathered                K/V of all ranks, and the kernels' contributions to dK/dV of all
//   outputs, gradients      of every layer; what stays on the rank is accumulated in place, a gradient that travelled
//                           is swapped in where the layer ends
//
// So nothing is copied between operations (but halves, where a layer begins and ends), and nothing is allocated after the
// constructor. An operation reads and writes the first rows of a buffer, as many as the block that it names has tokens.

#include "kernels/host/parts.hpp"
#include "kernels/host/plan.hpp"

#include <array>
#include <span>
#include <vector>

namespace ringsim::host {

template <class T>
class Rank {
 public:
  Rank(const RingPlan& plan, std::int64_t rank);

  /// The rank's tokens of a layer, to be filled before the first run: q and, for a backward pass, d_out; k and v, the cached
  /// tokens' first.
  [[nodiscard]] BlockView<T> own_queries(std::int64_t layer) { return own_[at(layer)].queries.view(block()); }
  [[nodiscard]] BlockView<T> own_keys(std::int64_t layer) { return own_[at(layer)].keys.view(keys()); }
  /// Before every run: stages the own blocks and empties all else.
  void prepare();
  /// Copies a layer's own block again, which has come since.
  void stage(Pass pass, std::int64_t layer);

  void begin(Pass pass, std::int64_t layer);
  /// False where the mask left nothing to do.
  bool attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step, Progress progress = {});
  bool merge(const sim::Merge& merge, std::int64_t layer, std::int64_t step, Progress progress = {});
  void end(Pass pass, std::int64_t layer);

  /// What the Shift sends one way, and where what comes that way goes: a message for each of its items.
  void outgoing(const sim::Shift& shift, std::int64_t step, std::vector<std::span<const T>>& messages,
                sim::Way way = sim::Way::up);
  void incoming(const sim::Shift& shift, std::int64_t step, std::vector<std::span<T>>& messages,
                sim::Way way = sim::Way::up);

  /// K/V of all ranks by position, and what the latest kernel adds to their gradients.
  [[nodiscard]] BlockView<T> gathered() { return gathered_.view(std::ssize(plan_.all_keys)); }
  [[nodiscard]] BlockView<T> gathered_gradient() { return gathered_gradient_.view(std::ssize(plan_.all_keys)); }
  /// The output that this rank computed at a step for another's queries, and the one of its own that came back from another.
  [[nodiscard]] Buffer<T>& kept(std::int64_t step) { return kept_[at(step)]; }
  [[nodiscard]] Buffer<T>& returned(std::int64_t step) { return returned_[at(step)]; }

  /// Results of a layer after a run, of the rank's own tokens: o and lse; q, k and v.
  [[nodiscard]] BlockView<const T> output(std::int64_t layer) const { return outputs_[at(layer)].view(block()); }
  [[nodiscard]] BlockView<const T> gradient(std::int64_t layer) const;
  [[nodiscard]] BlockView<T> key_gradient(std::int64_t layer) { return gradients_[at(layer)].keys.view(keys()); }
  [[nodiscard]] std::int64_t number() const { return rank_; }

 private:
  /// A block's two sides, in memory of their own.
  struct Sides {
    Buffer<T> queries;
    Buffer<T> keys;
    Buffer<T>& operator[](bool queries_side) { return queries_side ? queries : keys; }
  };
  [[nodiscard]] static std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }
  [[nodiscard]] std::int64_t block() const { return plan_.program.shards.block(rank_); }
  [[nodiscard]] std::int64_t keys() const { return plan_.program.shards.keys_of(rank_); }
  [[nodiscard]] bool of_queries(std::size_t tensor) const {
    return plan_.program.tensors[tensor].side == sim::Side::queries;
  }
  void make_results();
  void make_tensors(Pass pass);
  Buffer<T>& buffer(std::size_t tensor, const sim::Slot& slot, std::int64_t step) {
    return buffers_[tensor][index_of(slot, step)];
  }
  [[nodiscard]] std::int64_t owner(sim::Block which, const sim::Attend& attend, std::int64_t step) const;
  [[nodiscard]] Placed<T> queries_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step);
  [[nodiscard]] Placed<T> keys_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step);
  [[nodiscard]] BlockView<T> output_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step);
  [[nodiscard]] BlockView<T> gradient_of(const sim::Attend& attend, std::int64_t layer, std::int64_t step,
                                         bool queries);
  void share_out(const sim::Attend& attend, std::int64_t step);

  const RingPlan& plan_;
  std::int64_t rank_;
  std::vector<Sides> own_;                                     // per layer
  std::array<std::vector<std::vector<Buffer<T>>>, 2> staged_;  // per pass, per operand, per layer
  std::vector<std::vector<Buffer<T>>> buffers_;                // per tensor, per slot
  std::array<Buffer<T>, shares> partial_;                      // of the latest forward kernel of a share
  std::array<Sides, shares> contribution_;                     // of the latest backward kernel of a share
  std::vector<Buffer<T>> kept_, returned_;                     // per step
  Buffer<T> gathered_, gathered_gradient_;
  std::vector<Buffer<T>> outputs_;  // per layer
  std::vector<Sides> gradients_;    // per layer
  Workspace<T> workspace_;
};

}  // namespace ringsim::host
