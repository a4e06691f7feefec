#pragma once
// One rank of a ring: its buffers and what the operations of a program do to them.
//
//   buffers of a tensor     slots for the largest block, addressed by the operations; empty at first, which is NaN
//   own blocks              of every layer: what its projections made (Q, K, V, dO) and what its forward pass saved for
//                           the backward one (LSE, delta); kept from run to run
//   staged blocks           copies of those that will travel: where a layer begins, its copy and slot 0 swap their memory
//   partial, contribution   results of the latest kernel, until a Merge folds them in
//   outputs, gradients      of every layer; what stays on the rank is accumulated in place, the gradient that travelled
//                           is swapped in where the layer ends
//
// So nothing is copied between operations, and nothing is allocated after the constructor.
//
// Conventions of programs that the operations do not spell out:
//   - the kernel of step 0 writes the accumulators themselves, later ones a result of their own that a Merge adds;
//   - the Shift items of a pass with no lag carry the operands, those with a lag the travelling gradient; at step k
//     that gradient lies in the item's `to` slot of step k;
//   - an operation reads and writes the first rows of a buffer, as many as the block that it names has tokens.

#include "kernels/host/attention.hpp"
#include "kernels/host/buffer.hpp"
#include "sim/program.hpp"

#include <array>
#include <span>
#include <vector>

namespace ringsim::host {

[[nodiscard]] constexpr std::size_t index_of(Pass pass) { return pass == Pass::forward ? 0 : 1; }

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
  explicit RingPlan(const sim::Program& program, double score_scale, Tiling tiling = {});

  [[nodiscard]] const PassRoles& roles(Pass pass) const { return roles_of_pass[index_of(pass)]; }
  /// The rank whose block an operation names as travelling.
  [[nodiscard]] std::int64_t owner(std::int64_t rank, std::int64_t step) const;
  [[nodiscard]] AttentionSpec spec(std::int64_t layer) const;

  const sim::Program& program;
  double scale;
  Tiling tile;
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
  Rank(const RingPlan& plan, std::int64_t rank);

  /// The rank's tokens of a layer, to be filled before the first run: q and, for a backward pass, d_out; k and v.
  [[nodiscard]] BlockView<T> own_queries(std::int64_t layer) { return own_[at(layer)].queries.view(block(rank_)); }
  [[nodiscard]] BlockView<T> own_keys(std::int64_t layer) { return own_[at(layer)].keys.view(block(rank_)); }
  /// Before every run: stages the own blocks and empties all else.
  void prepare();

  void begin(Pass pass, std::int64_t layer);
  /// False where the mask left nothing to do.
  bool attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step, Progress progress = {});
  bool merge(const sim::Merge& merge, std::int64_t layer, std::int64_t step, Progress progress = {});
  void end(Pass pass, std::int64_t layer, std::int64_t gradient_step);

  /// What the Shift sends to the next rank, and where what the rank before sends goes: a message for each of its items.
  void outgoing(const sim::Shift& shift, std::int64_t step, std::vector<std::span<const T>>& messages);
  void incoming(const sim::Shift& shift, std::int64_t step, std::vector<std::span<T>>& messages);

  /// Results of a layer after a run, of the rank's own tokens: o and lse; q, k and v.
  [[nodiscard]] BlockView<const T> output(std::int64_t layer) const { return outputs_[at(layer)].view(block(rank_)); }
  [[nodiscard]] BlockView<const T> gradient(std::int64_t layer) const;

 private:
  /// A block's two sides, in memory of their own.
  struct Sides {
    Buffer<T> queries;
    Buffer<T> keys;
    Buffer<T>& operator[](bool queries_side) { return queries_side ? queries : keys; }
  };
  [[nodiscard]] static std::size_t at(std::int64_t layer) { return static_cast<std::size_t>(layer); }
  [[nodiscard]] std::int64_t block(std::int64_t rank) const { return plan_.program.shards.block(rank); }
  Buffer<T>& buffer(std::size_t tensor, const sim::Slot& slot, std::int64_t step) {
    return buffers_[tensor][index_of(slot, step)];
  }
  [[nodiscard]] Placed<T> placed(bool queries, sim::Block which, const sim::Attend& attend, std::int64_t layer,
                                 std::int64_t step);

  const RingPlan& plan_;
  std::int64_t rank_;
  std::vector<Sides> own_;                        // per layer
  std::array<std::vector<Buffer<T>>, 2> staged_;  // per pass, per layer
  std::vector<std::vector<Buffer<T>>> buffers_;   // per tensor, per slot
  Buffer<T> partial_;                             // of the latest forward kernel
  Sides contribution_;                            // of the latest backward kernel
  std::vector<Buffer<T>> outputs_;                // per layer
  std::vector<Sides> gradients_;                  // per layer
  Workspace<T> workspace_;
  bool masked_ = false;  // the latest step ran no kernel
};

}  // namespace ringsim::host
