#pragma once
// One rank of a ring: its buffers and what the operations of a program do to them.
//
//   buffers of a tensor     slots for the largest block, addressed by the operations; empty at first, which is NaN
//   own blocks              one a layer: what the layer's projections made (Q, K, V, dO) and what its forward pass
//                           saved for the backward one (LSE, delta)
//   partial, contribution   results of the latest kernel, until a Merge folds them in
//   accumulators            of the output and of the gradient that stays; the one that travels is a buffer
//
// Conventions of programs that the operations do not spell out:
//   - the kernel of step 0 writes the accumulators themselves, later ones a result of their own that a Merge adds;
//   - the Shift items of a pass with no lag carry the operands, those with a lag the travelling gradient; at step k
//     that gradient lies in the item's `to` slot of step k;
//   - an operation reads and writes the first rows of a buffer, as many as the block that it names has tokens.

#include "kernels/host/attention.hpp"
#include "sim/program.hpp"

#include <array>
#include <vector>

namespace ringsim::host {

/// How a pass uses the buffers, read off its operations.
struct PassRoles {
  bool runs = false;
  bool queries_travel = false;
  std::size_t operands = 0;  // index of the buffers: a tensor of the program, or one after these for a ring of one
  std::size_t gradient = 0;
  sim::Slot operands_slot;
  sim::Slot gradient_slot;
};

/// What all ranks of a program have in common.
struct RingPlan {
  explicit RingPlan(const sim::Program& program, double score_scale, Eigen::Index key_tile);

  [[nodiscard]] const PassRoles& roles(Pass pass) const { return roles_of_pass[pass == Pass::forward ? 0 : 1]; }
  /// The rank whose block an operation names as travelling.
  [[nodiscard]] std::int64_t owner(std::int64_t rank, std::int64_t step) const;
  [[nodiscard]] AttentionSpec spec(std::int64_t layer) const;

  const sim::Program& program;
  double scale;
  Eigen::Index tile;
  std::array<PassRoles, 2> roles_of_pass;  // forward, backward
  std::vector<std::int64_t> slots;         // of each tensor's buffers
  std::vector<Positions> positions;        // of each rank's tokens
};

/// Index of a slot at a step.
[[nodiscard]] inline std::size_t index_of(const sim::Slot& slot, std::int64_t step) {
  return static_cast<std::size_t>(((step + slot.offset) % slot.count + slot.count) % slot.count);
}

template <class T>
class Rank {
 public:
  /// `own`: the rank's tokens of every layer, with q, k, v and, for a backward pass, d_out.
  Rank(const RingPlan& plan, std::int64_t rank, std::vector<Block<T>> own);

  void begin(Pass pass, std::int64_t layer);
  void attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step);
  void merge(const sim::Merge& merge, std::int64_t step);
  void end(Pass pass, std::int64_t layer, std::int64_t gradient_step);
  /// The transfer of a Shift from this rank to the next.
  void send(const sim::Shift& shift, std::int64_t step, Rank& next);

  [[nodiscard]] const std::vector<Partial<T>>& outputs() const { return outputs_; }
  [[nodiscard]] const std::vector<Block<T>>& gradients() const { return gradients_; }

 private:
  Block<T>& buffer(std::size_t tensor, const sim::Slot& slot, std::int64_t step) {
    return buffers_[tensor][index_of(slot, step)];
  }
  [[nodiscard]] Placed<T> placed(sim::Block which, const sim::Attend& attend, std::int64_t layer, std::int64_t step);

  const RingPlan& plan_;
  std::int64_t rank_;
  std::vector<Block<T>> own_;
  std::vector<std::vector<Block<T>>> buffers_;  // per tensor, per slot

  bool masked_ = false;              // the latest step ran no kernel
  Partial<T> partial_;               // of the latest forward kernel
  Block<T> contribution_;            // of the latest backward kernel
  Partial<T> output_;                // accumulator
  Block<T> resident_;                // accumulator of the gradient that stays
  std::vector<Partial<T>> outputs_;  // per layer
  std::vector<Block<T>> gradients_;  // per layer
};

}  // namespace ringsim::host
