// Plain attention, what other implementations are compared with: a thread an entry, sums in fp32, whole score matrices.
//
// The query heads of one key/value head are worked on at a time: their scores S, then P = exp(S − LSE), and in the backward pass
// dS = P ∘ (dP − delta), lie in a workspace of [H/G][queries][keys]. No tiles, no online softmax, nothing shared between
// threads, so that it has little in common with what it judges.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace ringsim::cuda {
namespace {

constexpr int threads = 256;

/// A tensor's heads from `first` on: of the group that is worked on.
template <class T>
struct Heads {
  T* data = nullptr;
  std::int64_t rows = 0;
  std::int64_t dim = 0;
  std::int64_t head_stride = 0;
  __device__ T* row(std::int64_t head, std::int64_t index) const { return data + head * head_stride + index * dim; }
};

template <class T>
Heads<T> heads_from(const View<T>& view, std::int64_t first) {
  return {view.data + first * view.head_stride, view.rows, view.dim, view.head_stride};
}

/// [group][queries][keys].
struct Matrices {
  float* data = nullptr;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  __device__ float* row(std::int64_t head, std::int64_t query) const { return data + (head * queries + query) * keys; }
};

struct Mask {
  bool causal = false;
  __device__ bool keeps(std::int64_t query, std::int64_t key) const { return !causal || key <= query; }
};

/// Which entry a thread is at: of a tensor of [heads][rows][columns].
struct Entry {
  std::int64_t head, row, column;
};
__device__ __forceinline__ Entry entry(std::int64_t number, std::int64_t rows, std::int64_t columns) {
  return {number / columns / rows, number / columns % rows, number % columns};
}
__device__ __forceinline__ std::int64_t first_of_thread() { return std::int64_t{blockIdx.x} * threads + threadIdx.x; }
__device__ __forceinline__ std::int64_t stride_of_threads() { return std::int64_t{gridDim.x} * threads; }

__device__ __forceinline__ float dot(const Bf16* a, const Bf16* b, std::int64_t size) {
  float sum = 0;
  for (std::int64_t i = 0; i < size; ++i) sum += to_float(a[i]) * to_float(b[i]);
  return sum;
}

/// S = scale·Q·Kᵀ, −∞ where the mask hides an entry.
__global__ void scores_kernel(Heads<const Bf16> q, Heads<const Bf16> k, Matrices s, Mask mask, float scale,
                              std::int64_t entries) {
  for (std::int64_t n = first_of_thread(); n < entries; n += stride_of_threads()) {
    const Entry at = entry(n, s.queries, s.keys);
    s.row(at.head, at.row)[at.column] =
        mask.keeps(at.row, at.column) ? scale * dot(q.row(at.head, at.row), k.row(0, at.column), q.dim) : -INFINITY;
  }
}

/// A thread a row: LSE = log Σ exp S, and S becomes P. A row without an entry: LSE = −∞, P = 0.
__global__ void softmax_kernel(Matrices s, Heads<float> lse, std::int64_t rows) {
  for (std::int64_t n = first_of_thread(); n < rows; n += stride_of_threads()) {
    const Entry at = entry(n, s.queries, 1);
    float* const row = s.row(at.head, at.row);
    float largest = -INFINITY;
    for (std::int64_t j = 0; j < s.keys; ++j) largest = row[j] > largest ? row[j] : largest;
    float sum = 0;
    for (std::int64_t j = 0; j < s.keys; ++j) sum += row[j] == -INFINITY ? 0.0F : expf(row[j] - largest);
    *lse.row(at.head, at.row) = sum == 0.0F ? -INFINITY : largest + logf(sum);
    for (std::int64_t j = 0; j < s.keys; ++j) {
      row[j] = row[j] == -INFINITY ? 0.0F : expf(row[j] - largest) / sum;
    }
  }
}

/// O = P·V.
__global__ void output_kernel(Matrices p, Heads<const Bf16> v, Heads<Bf16> o, std::int64_t entries) {
  for (std::int64_t n = first_of_thread(); n < entries; n += stride_of_threads()) {
    const Entry at = entry(n, p.queries, o.dim);
    const float* const row = p.row(at.head, at.row);
    float sum = 0;
    for (std::int64_t j = 0; j < p.keys; ++j) sum += row[j] * to_float(v.row(0, j)[at.column]);
    o.row(at.head, at.row)[at.column] = to_bf16(sum);
  }
}

/// P = exp(S − LSE) from S, and dS = P ∘ (dO·Vᵀ − rowsum(dO ∘ O)).
__global__ void weights_kernel(Matrices s, Matrices ds, Heads<const Bf16> v, Heads<const Bf16> o,
                               Heads<const Bf16> d_out, Heads<const float> lse, std::int64_t entries) {
  for (std::int64_t n = first_of_thread(); n < entries; n += stride_of_threads()) {
    const Entry at = entry(n, s.queries, s.keys);
    float& score = s.row(at.head, at.row)[at.column];
    const float of_row = *lse.row(at.head, at.row);
    // A hidden entry, or a query that sees no key of the whole sequence.
    const float p = score == -INFINITY || of_row == -INFINITY ? 0.0F : expf(score - of_row);
    const Bf16* const gradient = d_out.row(at.head, at.row);
    const float dp = dot(gradient, v.row(0, at.column), v.dim);
    const float delta = dot(gradient, o.row(at.head, at.row), v.dim);
    score = p;
    ds.row(at.head, at.row)[at.column] = p == 0.0F ? 0.0F : p * (dp - delta);
  }
}

/// dQ = scale·dS·K.
__global__ void query_gradient_kernel(Matrices ds, Heads<const Bf16> k, Heads<Bf16> dq, float scale,
                                      std::int64_t entries) {
  for (std::int64_t n = first_of_thread(); n < entries; n += stride_of_threads()) {
    const Entry at = entry(n, ds.queries, dq.dim);
    const float* const row = ds.row(at.head, at.row);
    float sum = 0;
    for (std::int64_t j = 0; j < ds.keys; ++j) sum += row[j] * to_float(k.row(0, j)[at.column]);
    dq.row(at.head, at.row)[at.column] = to_bf16(scale * sum);
  }
}

/// factor · Σ over the group's query heads of Wᵀ·X: dK with W = dS, X = Q, dV with W = P, X = dO.
__global__ void key_gradient_kernel(Matrices w, Heads<const Bf16> x, std::int64_t group, Heads<Bf16> gradient,
                                    float factor, std::int64_t entries) {
  for (std::int64_t n = first_of_thread(); n < entries; n += stride_of_threads()) {
    const Entry at = entry(n, w.keys, gradient.dim);
    float sum = 0;
    for (std::int64_t head = 0; head < group; ++head) {
      for (std::int64_t i = 0; i < w.queries; ++i) {
        sum += w.row(head, i)[at.row] * to_float(x.row(head, i)[at.column]);
      }
    }
    gradient.row(0, at.row)[at.column] = to_bf16(factor * sum);
  }
}

/// Enqueues a kernel whose last parameter is the number of entries; nothing for none.
template <class... Expected, class... Actual>
void for_entries(const char* what, void (*kernel)(Expected...), std::int64_t entries, cudaStream_t stream,
                 const Actual&... arguments) {
  if (entries == 0) return;
  launch(what, kernel, {dim3(blocks_for(entries, threads, 8)), dim3(threads)}, stream, arguments..., entries);
}

template <class Call>
void check_sizes(const Call& call) {
  const auto bad = [](const char* what) { throw Error(std::string("attention: ") + what); };
  if (call.k.heads < 1 || call.q.heads % call.k.heads != 0) bad("the heads of q are no multiple of those of k");
  if (call.v.heads != call.k.heads || call.v.rows != call.k.rows) bad("k and v are of different sizes");
  if (call.q.dim != call.k.dim) bad("q and k are of different dimensions");
  if (call.o.heads != call.q.heads || call.o.rows != call.q.rows || call.o.dim != call.v.dim) {
    bad("o must have the heads and rows of q and the dimension of v");
  }
  if (call.lse.heads != call.q.heads || call.lse.rows != call.q.rows || call.lse.dim != 1) {
    bad("lse must have the heads and rows of q");
  }
}

template <class A, class B>
bool same_size(const View<A>& a, const View<B>& b) {
  return a.heads == b.heads && a.rows == b.rows && a.dim == b.dim;
}

class ReferenceKernels final : public AttentionKernels {
 public:
  [[nodiscard]] std::string name() const override { return "reference"; }
  [[nodiscard]] bool has_backward() const override { return true; }

  void prepare(const ForwardCall& call) override {
    check_sizes(call);
    reserve(matrix_elements(call));
  }
  void prepare(const BackwardCall& call) override {
    check_sizes(call);
    if (!same_size(call.d_out, call.o) || !same_size(call.dq, call.q) || !same_size(call.dk, call.k) ||
        !same_size(call.dv, call.v)) {
      throw Error("attention: a gradient and its tensor are of different sizes");
    }
    reserve(2 * matrix_elements(call));
  }

  void forward(const ForwardCall& call, cudaStream_t stream) override {
    expect(matrix_elements(call));
    const std::int64_t group = call.q.heads / call.k.heads;
    const std::int64_t rows = group * call.q.rows;
    const Matrices s{workspace_.data(), call.q.rows, call.k.rows};
    for (std::int64_t g = 0; g < call.k.heads; ++g) {
      scores(call, g, s, stream);
      for_entries("softmax", softmax_kernel, rows, stream, s, heads_from(call.lse, g * group));
      for_entries("output", output_kernel, rows * call.o.dim, stream, s, heads_from(call.v, g),
                  heads_from(call.o, g * group));
    }
  }

  void backward(const BackwardCall& call, cudaStream_t stream) override {
    expect(2 * matrix_elements(call));
    const std::int64_t group = call.q.heads / call.k.heads;
    const std::int64_t entries = group * call.q.rows * call.k.rows;
    const Matrices p{workspace_.data(), call.q.rows, call.k.rows};
    const Matrices ds{workspace_.data() + entries, call.q.rows, call.k.rows};
    const auto scale = static_cast<float>(call.scale);
    for (std::int64_t g = 0; g < call.k.heads; ++g) {
      const std::int64_t first = g * group;
      scores(call, g, p, stream);
      for_entries("weights", weights_kernel, entries, stream, p, ds, heads_from(call.v, g), heads_from(call.o, first),
                  heads_from(call.d_out, first), heads_from(call.lse, first));
      for_entries("dQ", query_gradient_kernel, group * call.q.rows * call.q.dim, stream, ds, heads_from(call.k, g),
                  heads_from(call.dq, first), scale);
      for_entries("dK", key_gradient_kernel, call.k.rows * call.k.dim, stream, ds, heads_from(call.q, first), group,
                  heads_from(call.dk, g), scale);
      for_entries("dV", key_gradient_kernel, call.v.rows * call.v.dim, stream, p, heads_from(call.d_out, first), group,
                  heads_from(call.dv, g), 1.0F);
    }
  }

 private:
  template <class Call>
  static std::int64_t matrix_elements(const Call& call) {
    return call.q.heads / call.k.heads * call.q.rows * call.k.rows;
  }
  template <class Call>
  static void scores(const Call& call, std::int64_t g, const Matrices& s, cudaStream_t stream) {
    const std::int64_t group = call.q.heads / call.k.heads;
    for_entries("scores", scores_kernel, group * s.queries * s.keys, stream, heads_from(call.q, g * group),
                heads_from(call.k, g), s, Mask{call.causal}, static_cast<float>(call.scale));
  }
  void reserve(std::int64_t elements) {
    if (static_cast<std::size_t>(elements) > workspace_.size()) {
      workspace_ = Memory<float>(static_cast<std::size_t>(elements));
    }
  }
  void expect(std::int64_t elements) const {
    if (static_cast<std::size_t>(elements) > workspace_.size()) {
      throw Error("attention of a size that was not prepared");
    }
  }

  Memory<float> workspace_;
};

}  // namespace

std::unique_ptr<AttentionKernels> reference_kernels() { return std::make_unique<ReferenceKernels>(); }

}  // namespace ringsim::cuda
