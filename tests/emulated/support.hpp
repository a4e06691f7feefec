#pragma once
// Data for the tests of kernels: random numbers, device memory with them, and tensors with strides.

#include "kernels/cuda/bf16.hpp"
#include "kernels/cuda/resources.hpp"
#include "kernels/cuda/views.hpp"

#include <cstdint>
#include <limits>
#include <random>
#include <vector>

namespace ringsim::cuda::tests {

inline constexpr float infinity = std::numeric_limits<float>::infinity();

/// A stream with what has been enqueued on it waited for by the default stream's copies: get() after finish().
template <class T>
std::vector<T> download(const T* from, std::size_t count) {
  std::vector<T> values(count);
  check(cudaMemcpy(values.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return values;
}

template <class T>
Memory<T> upload(const std::vector<T>& values) {
  Memory<T> memory(values.size());
  check(cudaMemcpy(memory.data(), values.data(), memory.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy");
  return memory;
}

inline void finish() { check(cudaDeviceSynchronize(), "cudaDeviceSynchronize"); }

/// What a number becomes in a format, and back.
inline float rounded(Bf16, float value) { return to_float(to_bf16(value)); }
inline float rounded(float, float value) { return value; }
inline void assign(Bf16& to, float value) { to = to_bf16(value); }
inline void assign(float& to, float value) { to = value; }

/// A tensor on the device, and the same numbers on the host. Between its heads are `gap` elements which nobody may touch.
template <class T>
struct Tensor {
  std::int64_t heads, rows, dim, gap;
  std::vector<T> host;
  Memory<T> memory;

  /// Poisoned throughout.
  Tensor(std::int64_t heads_, std::int64_t rows_, std::int64_t dim_, std::int64_t gap_ = 0)
      : heads(heads_),
        rows(rows_),
        dim(dim_),
        gap(gap_),
        host(static_cast<std::size_t>(heads * (rows * dim + gap))),
        memory(host.size()) {
    fetch();
  }
  [[nodiscard]] std::int64_t stride() const { return rows * dim + gap; }
  [[nodiscard]] View<T> view() const { return {memory.data(), heads, rows, dim, stride()}; }
  [[nodiscard]] std::size_t index(std::int64_t h, std::int64_t r, std::int64_t d) const {
    return static_cast<std::size_t>(h * stride() + r * dim + d);
  }
  [[nodiscard]] float at(std::int64_t h, std::int64_t r, std::int64_t d = 0) const {
    return to_float(host[index(h, r, d)]);
  }
  void set(std::int64_t h, std::int64_t r, std::int64_t d, float value) { assign(host[index(h, r, d)], value); }
  void send() { check(cudaMemcpy(memory.data(), host.data(), memory.bytes(), cudaMemcpyHostToDevice), "cudaMemcpy"); }
  void fetch() { host = download(memory.data(), host.size()); }
  /// Normal numbers in every element that belongs to a row; gaps stay poisoned.
  void randomise(std::mt19937_64& random, float deviation = 1) {
    std::normal_distribution<float> normal(0, deviation);
    for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) { set(h, r, d, normal(random)); });
    send();
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t r = 0; r < rows; ++r) {
        for (std::int64_t d = 0; d < dim; ++d) visit(h, r, d);
      }
    }
  }
  /// Whether every byte between the heads is still all ones.
  [[nodiscard]] bool gaps_untouched() const {
    for (std::int64_t h = 0; h < heads; ++h) {
      for (std::int64_t i = rows * dim; i < stride(); ++i) {
        const T& element = host[static_cast<std::size_t>(h * stride() + i)];
        const auto* bytes = reinterpret_cast<const unsigned char*>(&element);
        for (std::size_t b = 0; b < sizeof(T); ++b) {
          if (bytes[b] != 0xff) return false;
        }
      }
    }
    return true;
  }
};

}  // namespace ringsim::cuda::tests
