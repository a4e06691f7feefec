#pragma once
// One rank of a ring on a GPU: its memory, and the kernels that the operations of a program become.
//
//   own blocks       of every layer: Q, K, V, dO as its projections made them. While a travelling block is the rank's own, kernels
//                    read it and hops send it from there: nothing is copied where a ring begins
//   slots            buffers of what travels, addressed by the operations: K/V in bf16, gradients in the scenario's format
//   accumulators     of every layer: O and LSE in fp32, dQ in fp32
//   partial          result of the latest kernel, bf16 as the kernels make it, until a Merge folds it in
//   results          of every layer: O, dQ, dK, dV in bf16, made where the layer ends, as what follows would read them
//
// Everything is allocated in the constructor. All functions enqueue on a stream and return at once.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/executor/key_block.hpp"
#include "kernels/cuda/merging_kernel.hpp"
#include "kernels/gpu/piece.hpp"
#include "kernels/host/plan.hpp"
#include "kernels/host/streams.hpp"

#include <cstdint>
#include <vector>

namespace ringsim::cuda {

/// A message of a hop.
struct Message {
  void* data = nullptr;
  std::size_t bytes = 0;
};

class DeviceRank {
 public:
  /// `merging`: computes the forward kernels that a Merge follows, and the Merge is left out; null: `kernels` do, and a kernel of its own
  /// merges. Prepares the kernels of all calls. They must outlive the rank, as `plan` must. Throws Error where the plan cannot be executed.
  DeviceRank(const host::RingPlan& plan, const host::IssueList& list, std::int64_t rank, AttentionKernels& kernels,
             MergingKernel* merging = nullptr);

  // Inputs of a layer, to be filled before the first run; [heads][tokens][dimension] in bf16.
  [[nodiscard]] View<Bf16> own_q(std::int64_t layer) const { return q_of(layer); }
  [[nodiscard]] View<Bf16> own_d_out(std::int64_t layer) const { return d_out_of(layer); }
  [[nodiscard]] KeyViews<Bf16> own_keys(std::int64_t layer) const { return at(layer).keys.view(block()); }

  /// Fills all else with NaN: what is read before it was written shows.
  void poison(cudaStream_t stream);

  /// Enqueues a LayerBegin, LayerEnd, Attend or Merge. False where there is nothing to do.
  bool enqueue(const host::Instruction& instruction, cudaStream_t stream);
  [[nodiscard]] std::vector<Message> outgoing(const sim::Shift& shift, std::int64_t layer, std::int64_t step) const;
  [[nodiscard]] std::vector<Message> incoming(const sim::Shift& shift, std::int64_t layer, std::int64_t step) const;

  // Results of a layer after a run.
  [[nodiscard]] OutputAccumulator output(std::int64_t layer) const;
  [[nodiscard]] View<float> q_gradient(std::int64_t layer) const;
  [[nodiscard]] KeyViews<Bf16> key_gradient(std::int64_t layer) const { return at(layer).key_gradient.view(block()); }
  [[nodiscard]] std::int64_t number() const { return rank_; }
  [[nodiscard]] std::int64_t tokens() const { return block(); }
  [[nodiscard]] bool trains() const { return trains_; }
  /// Device memory that the rank has taken.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  struct Layer {
    Memory<Bf16> q, d_out;
    KeyBlock<Bf16> keys;
    Memory<float> output, lse, q_sum;
    Memory<Bf16> result, q_gradient;
    KeyBlock<Bf16> key_gradient;
  };
  [[nodiscard]] const Layer& at(std::int64_t layer) const { return layers_[static_cast<std::size_t>(layer)]; }
  [[nodiscard]] std::int64_t block() const { return plan_.program.shards.block(rank_); }
  [[nodiscard]] std::int64_t query_heads() const { return heads_.batch * heads_.query_heads; }
  template <class T>
  [[nodiscard]] View<T> of_queries(const Memory<T>& memory, std::int64_t dim) const {
    return contiguous(memory.data(), query_heads(), block(), dim);
  }
  [[nodiscard]] View<Bf16> q_of(std::int64_t layer) const { return of_queries(at(layer).q, heads_.query_key_dim); }
  [[nodiscard]] View<Bf16> d_out_of(std::int64_t layer) const { return of_queries(at(layer).d_out, heads_.value_dim); }

  void find_pieces();
  void make_layers();
  void make_slots();
  void prepare(const host::IssueList& list);
  [[nodiscard]] const Piece& piece(sim::Way way, std::int64_t layer, std::int64_t step) const;
  [[nodiscard]] KeyViews<Bf16> travelling_keys(std::size_t tensor, const sim::Slot& slot, sim::Way way,
                                               std::int64_t layer, std::int64_t step) const;
  [[nodiscard]] Message message(const sim::ShiftItem& item, const sim::Slot& slot, std::int64_t layer,
                                std::int64_t step, std::int64_t owner) const;
  [[nodiscard]] ForwardCall forward_call(const sim::Attend& attend, std::int64_t layer, std::int64_t step,
                                         const Piece& piece) const;
  [[nodiscard]] BackwardCall backward_call(const sim::Attend& attend, std::int64_t layer, std::int64_t step,
                                           const Piece& piece) const;
  [[nodiscard]] bool merges_itself(const sim::Attend& attend) const { return merging_ != nullptr && !attend.starts; }
  bool attend(const sim::Attend& attend, std::int64_t layer, std::int64_t step, cudaStream_t stream);
  void attend_forward(const sim::Attend& attend, std::int64_t layer, std::int64_t step, cudaStream_t stream);
  void attend_backward(const sim::Attend& attend, std::int64_t layer, std::int64_t step, cudaStream_t stream);
  bool merge(const sim::Merge& merge, std::int64_t layer, std::int64_t step, cudaStream_t stream);
  bool end(Pass pass, std::int64_t layer, cudaStream_t stream);
  [[nodiscard]] const GradientBlock& gradient_slot(std::size_t tensor, const sim::Slot& slot, std::int64_t step) const {
    return gradients_[tensor][host::index_of(slot, step)];
  }

  const host::RingPlan& plan_;
  std::int64_t rank_;
  AttentionKernels& kernels_;
  MergingKernel* merging_;
  HeadShape heads_;
  bool trains_;
  std::size_t bytes_ = 0;
  std::vector<std::vector<Piece>> pieces_;  // per mask and owner of the keys
  std::vector<Layer> layers_;
  std::vector<std::vector<KeyBlock<Bf16>>> slots_;     // per tensor, of K/V
  std::vector<std::vector<GradientBlock>> gradients_;  // per tensor, of dK/dV
  Memory<Bf16> partial_;
  Memory<float> partial_lse_;
  Memory<Bf16> q_contribution_;
  KeyBlock<Bf16> key_contribution_;
};

}  // namespace ringsim::cuda
