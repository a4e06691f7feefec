#pragma once
// What tests on a GPU share. Without a GPU they skip, with the reason. They use the CUDA runtime alone, so that those whose names
// have "Small" in them can also be run on the emulated one, and under compute-sanitizer.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/device.hpp"
#include "kernels/cuda/probes.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringsim::cuda::device_tests {

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override {
    const Devices found = find_devices();
    if (found.devices.empty()) GTEST_SKIP() << found.why_none;
    device_ = found.devices.front();
    check(cudaSetDevice(device_.id), "cudaSetDevice");
  }
  [[nodiscard]] const DeviceInfo& device() const { return device_; }

 private:
  DeviceInfo device_;
};

/// Random normal numbers in bf16.
[[nodiscard]] inline Memory<Bf16> random_numbers(std::int64_t count, std::uint64_t seed) {
  Memory<Bf16> memory(static_cast<std::size_t>(count));
  fill_normal(&memory.data()->bits, memory.size(), seed, nullptr);
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return memory;
}

/// NaN all over: what is not written shows.
template <class T>
[[nodiscard]] Memory<T> poisoned(std::int64_t count) {
  Memory<T> memory(static_cast<std::size_t>(count));
  memory.poison(nullptr);
  check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
  return memory;
}

template <class T>
[[nodiscard]] std::vector<double> on_host(const Memory<T>& memory) {
  std::vector<T> copy(memory.size());
  check(cudaMemcpy(copy.data(), memory.data(), memory.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  std::vector<double> values;
  values.reserve(copy.size());
  for (const T& x : copy) values.push_back(static_cast<double>(to_float(x)));
  return values;
}

template <class T>
[[nodiscard]] Memory<T> on_device(const std::vector<T>& values) {
  Memory<T> memory(values.size());
  check(cudaMemcpy(memory.data(), values.data(), memory.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

/// Bit by bit.
template <class T>
[[nodiscard]] bool same_bytes(const Memory<T>& a, const Memory<T>& b) {
  std::vector<T> first(a.size());
  std::vector<T> second(b.size());
  check(cudaMemcpy(first.data(), a.data(), a.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  check(cudaMemcpy(second.data(), b.data(), b.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return a.bytes() == b.bytes() && std::memcmp(first.data(), second.data(), a.bytes()) == 0;
}

/// |a − b| / |b|, Euclidean; NaN where a or b holds one.
[[nodiscard]] inline double relative_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0;
  double size = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += (a.at(i) - b[i]) * (a.at(i) - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

/// Largest |a − b| of the pairs that are not the same infinity.
[[nodiscard]] inline double largest_distance(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    if (a.at(i) == b[i]) continue;
    const double distance = std::abs(a.at(i) - b[i]);
    if (!(distance <= largest)) largest = distance;  // NaN as well
  }
  return largest;
}

/// Where bf16 results of different kernels must agree (docs of kernels/cuda/attention.hpp: sums in fp32, results rounded).
inline constexpr double bf16_tolerance = 1e-2;
/// A statistic is of size 1 to 10 and fp32; P is rounded to bf16 on the way in some kernels, the statistic never.
inline constexpr double lse_tolerance = 2e-3;

/// Operands of a kernel on the GPU.
struct Problem {
  std::int64_t heads = 1;
  std::int64_t key_heads = 1;
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  std::int64_t dim = 128;
  bool causal = false;
};

class Operands {
 public:
  Operands(const Problem& p, std::uint64_t seed)
      : problem(p),
        q(random_numbers(p.heads * p.queries * p.dim, seed)),
        k(random_numbers(p.key_heads * p.keys * p.dim, seed + 1)),
        v(random_numbers(p.key_heads * p.keys * p.dim, seed + 2)),
        d_out(random_numbers(p.heads * p.queries * p.dim, seed + 3)),
        o(poisoned<Bf16>(p.heads * p.queries * p.dim)),
        dq(poisoned<Bf16>(p.heads * p.queries * p.dim)),
        dk(poisoned<Bf16>(p.key_heads * p.keys * p.dim)),
        dv(poisoned<Bf16>(p.key_heads * p.keys * p.dim)),
        lse(poisoned<float>(p.heads * p.queries)) {}

  [[nodiscard]] ForwardCall forward() const {
    const Problem& p = problem;
    return {contiguous<const Bf16>(q.data(), p.heads, p.queries, p.dim),
            contiguous<const Bf16>(k.data(), p.key_heads, p.keys, p.dim),
            contiguous<const Bf16>(v.data(), p.key_heads, p.keys, p.dim),
            contiguous(o.data(), p.heads, p.queries, p.dim),
            contiguous(lse.data(), p.heads, p.queries, std::int64_t{1}),
            p.causal,
            1 / std::sqrt(static_cast<double>(p.dim))};
  }
  [[nodiscard]] BackwardCall backward() const {
    const Problem& p = problem;
    const ForwardCall f = forward();
    return {f.q,
            f.k,
            f.v,
            f.o,
            contiguous<const Bf16>(d_out.data(), p.heads, p.queries, p.dim),
            f.lse,
            contiguous(dq.data(), p.heads, p.queries, p.dim),
            contiguous(dk.data(), p.key_heads, p.keys, p.dim),
            contiguous(dv.data(), p.key_heads, p.keys, p.dim),
            p.causal,
            f.scale};
  }

  Problem problem;
  Memory<Bf16> q, k, v, d_out, o, dq, dk, dv;
  Memory<float> lse;
};

/// Runs and waits.
inline void run_forward(AttentionKernels& kernels, const ForwardCall& call) {
  kernels.prepare(call);
  const Stream stream;
  kernels.forward(call, stream.get());
  stream.synchronize();
}
inline void run_backward(AttentionKernels& kernels, const BackwardCall& call) {
  kernels.prepare(call);
  const Stream stream;
  kernels.backward(call, stream.get());
  stream.synchronize();
}

}  // namespace ringsim::cuda::device_tests
