#include "calibrate/cuda/operands.hpp"

#include "kernels/cuda/probes.hpp"

#include <cmath>

namespace ringsim::calibrate {
namespace {

std::size_t size_of(std::int64_t heads, std::int64_t tokens, std::int64_t dim) {
  return static_cast<std::size_t>(heads * tokens * dim);
}

}  // namespace

cuda::Memory<cuda::Bf16> random_numbers(std::size_t count, std::uint64_t seed) {
  cuda::Memory<cuda::Bf16> memory(count);
  if (count == 0) return memory;
  cuda::fill_normal(&memory.data()->bits, count, seed, nullptr);
  cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return memory;
}

AttentionOperands::AttentionOperands(const HeadShape& heads, std::int64_t rows, std::int64_t columns, bool causal,
                                     bool with_backward)
    : heads_(heads), rows_(rows), columns_(columns), causal_(causal) {
  const std::int64_t query_heads = heads.batch * heads.query_heads;
  const std::int64_t kv_heads = heads.batch * heads.kv_heads;
  const std::size_t queries = size_of(query_heads, rows, heads.query_key_dim);
  const std::size_t keys = size_of(kv_heads, columns, heads.query_key_dim);
  const std::size_t values = size_of(kv_heads, columns, heads.value_dim);
  const std::size_t outputs = size_of(query_heads, rows, heads.value_dim);
  q_ = random_numbers(queries, 1);
  k_ = random_numbers(keys, 2);
  v_ = random_numbers(values, 3);
  o_ = poisoned<cuda::Bf16>(outputs);
  lse_ = poisoned<float>(size_of(query_heads, rows, 1));
  if (!with_backward) return;
  d_out_ = random_numbers(outputs, 4);
  dq_ = poisoned<cuda::Bf16>(queries);
  dk_ = poisoned<cuda::Bf16>(keys);
  dv_ = poisoned<cuda::Bf16>(values);
}

cuda::ForwardCall AttentionOperands::forward() const {
  const std::int64_t query_heads = heads_.batch * heads_.query_heads;
  const std::int64_t kv_heads = heads_.batch * heads_.kv_heads;
  cuda::ForwardCall call;
  call.q = cuda::contiguous(q_.data(), query_heads, rows_, heads_.query_key_dim);
  call.k = cuda::contiguous(k_.data(), kv_heads, columns_, heads_.query_key_dim);
  call.v = cuda::contiguous(v_.data(), kv_heads, columns_, heads_.value_dim);
  call.o = cuda::contiguous(o_.data(), query_heads, rows_, heads_.value_dim);
  call.lse = cuda::contiguous(lse_.data(), query_heads, rows_, std::int64_t{1});
  call.causal = causal_;
  call.scale = 1 / std::sqrt(static_cast<double>(heads_.query_key_dim));
  return call;
}

cuda::BackwardCall AttentionOperands::backward() const {
  const cuda::ForwardCall f = forward();
  cuda::BackwardCall call;
  call.q = f.q;
  call.k = f.k;
  call.v = f.v;
  call.o = f.o;
  call.lse = f.lse;
  call.d_out = cuda::contiguous<const cuda::Bf16>(d_out_.data(), f.o.heads, rows_, heads_.value_dim);
  call.dq = cuda::contiguous(dq_.data(), f.q.heads, rows_, heads_.query_key_dim);
  call.dk = cuda::contiguous(dk_.data(), f.k.heads, columns_, heads_.query_key_dim);
  call.dv = cuda::contiguous(dv_.data(), f.v.heads, columns_, heads_.value_dim);
  call.causal = causal_;
  call.scale = f.scale;
  return call;
}

}  // namespace ringsim::calibrate
