#pragma once
// Attention kernels on a GPU: what every implementation offers to the executor and to the benchmarks.
//
// Forward:   S = scale·Q·Kᵀ, entry (i, j) kept where j <= i if causal    O = softmax(S)·V    LSE = log Σ exp S (natural)
// Backward:  from the *final* O, LSE of the queries (over all keys of the sequence) and one block of keys, that block's part:
//            P = exp(S − LSE)   dV = Pᵀ·dO   dS = P ∘ (dO·Vᵀ − rowsum(dO ∘ O))   dQ = scale·dS·K   dK = scale·dSᵀ·Q
// (FlashAttention, arXiv 2205.14135, algorithm 4). Q, K, V, O, dO and the gradients are bf16, LSE and all sums fp32.

#include "kernels/cuda/views.hpp"

#include <cuda_runtime.h>

#include <cstdint>
#include <memory>
#include <string>

namespace ringsim::cuda {

/// LSE is [H][queries][1]. Heads of q, o: H; of k, v: G, a divisor of H. q and k have one dimension, v and o another.
struct ForwardCall {
  View<const Bf16> q, k, v;
  View<Bf16> o;
  View<float> lse;
  bool causal = false;
  double scale = 1;
};

struct BackwardCall {
  View<const Bf16> q, k, v, o, d_out;
  View<const float> lse;
  View<Bf16> dq, dk, dv;
  bool causal = false;
  double scale = 1;
};

/// An implementation. Calls of one object come from one thread and one device, and go to one stream at a time, as the workspace
/// is its own.
class AttentionKernels {
 public:
  virtual ~AttentionKernels() = default;
  /// As in files and messages: "cudnn", "sm90", "reference".
  [[nodiscard]] virtual std::string name() const = 0;
  /// Version of the library, and which of its engines; empty: nothing to be said.
  [[nodiscard]] virtual std::string version() const { return {}; }
  /// Whether backward() exists.
  [[nodiscard]] virtual bool has_backward() const = 0;
  /// Builds what calls of this shape, mask, scale and strides need; addresses may change. To be called before anything is
  /// timed or captured. Throws Error where the implementation does not have such a kernel, with what it has.
  virtual void prepare(const ForwardCall& call) = 0;
  virtual void prepare(const BackwardCall& call) = 0;
  /// Enqueues. Every element of o and lse (dq, dk, dv) is written. Allocates nothing that prepare() has not.
  virtual void forward(const ForwardCall& call, cudaStream_t stream) = 0;
  virtual void backward(const BackwardCall& call, cudaStream_t stream) = 0;
};

/// Plain kernels, a thread an entry, sums in fp32: slow and simple, what the others are compared with. Any head dimension.
[[nodiscard]] std::unique_ptr<AttentionKernels> reference_kernels();

/// Our own kernel for sm_90a (hopper/): forward alone, head dimension 128. `sms`: thread blocks of its persistent grid, 0 for all SMs.
[[nodiscard]] std::unique_ptr<AttentionKernels> hopper_kernels(int sms = 0);

/// cuDNN's graphs (cudnn/). Throws MissingLibrary, an Error, where cuDNN is not there.
[[nodiscard]] std::unique_ptr<AttentionKernels> cudnn_kernels();

}  // namespace ringsim::cuda
