#pragma once
// Attention in double precision, by its definition: what kernels are compared with.

#include "tests/emulated/support.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace ringsim::cuda::tests {

/// [heads][rows][dim] without gaps.
struct Doubles {
  std::int64_t heads = 0;
  std::int64_t rows = 0;
  std::int64_t dim = 0;
  std::vector<double> x;
  Doubles(std::int64_t heads_, std::int64_t rows_, std::int64_t dim_)
      : heads(heads_), rows(rows_), dim(dim_), x(static_cast<std::size_t>(heads * rows * dim)) {}
  [[nodiscard]] double& at(std::int64_t h, std::int64_t r, std::int64_t d) {
    return x[static_cast<std::size_t>((h * rows + r) * dim + d)];
  }
  [[nodiscard]] double at(std::int64_t h, std::int64_t r, std::int64_t d) const {
    return x[static_cast<std::size_t>((h * rows + r) * dim + d)];
  }
};

/// Σ (a − b)² over Σ b², the root of it: of all elements together. NaN where an element is NaN.
template <class T>
double relative_error(const Tensor<T>& found, const Doubles& expected) {
  double difference = 0;
  double size = 0;
  found.for_each([&](std::int64_t h, std::int64_t r, std::int64_t d) {
    const double e = expected.at(h, r, d);
    const double delta = static_cast<double>(found.at(h, r, d)) - e;
    difference += delta * delta;
    size += e * e;
  });
  return std::sqrt(difference / size);
}

template <class A, class B>
double dot_of_rows(const Tensor<A>& a, std::int64_t ha, std::int64_t ra, const Tensor<B>& b, std::int64_t hb,
                   std::int64_t rb) {
  double sum = 0;
  for (std::int64_t d = 0; d < a.dim; ++d)
    sum += static_cast<double>(a.at(ha, ra, d)) * static_cast<double>(b.at(hb, rb, d));
  return sum;
}

struct Attention {
  Doubles o, lse;
};

/// O = softmax(scale·Q·Kᵀ)·V over the keys j <= i if causal; LSE = log Σ exp. A query without a key: 0 and −∞.
inline Attention attention(const Tensor<Bf16>& q, const Tensor<Bf16>& k, const Tensor<Bf16>& v, bool causal,
                           double scale) {
  Attention result{Doubles(q.heads, q.rows, v.dim), Doubles(q.heads, q.rows, 1)};
  const std::int64_t group = q.heads / k.heads;
  for (std::int64_t h = 0; h < q.heads; ++h) {
    for (std::int64_t i = 0; i < q.rows; ++i) {
      const std::int64_t keys = causal ? std::min(i + 1, k.rows) : k.rows;
      std::vector<double> scores;
      double most = -std::numeric_limits<double>::infinity();
      for (std::int64_t j = 0; j < keys; ++j) {
        scores.push_back(scale * dot_of_rows(q, h, i, k, h / group, j));
        most = std::max(most, scores.back());
      }
      double sum = 0;
      for (const double s : scores) sum += std::exp(s - most);
      const double lse = scores.empty() ? -std::numeric_limits<double>::infinity() : most + std::log(sum);
      result.lse.at(h, i, 0) = lse;
      for (std::int64_t j = 0; j < keys; ++j) {
        const double p = std::exp(scores[static_cast<std::size_t>(j)] - lse);
        for (std::int64_t d = 0; d < v.dim; ++d) result.o.at(h, i, d) += p * static_cast<double>(v.at(h / group, j, d));
      }
    }
  }
  return result;
}

struct Gradients {
  Doubles dq, dk, dv;
};

/// Of one block of keys, from the given O and LSE of the queries (over all keys of the sequence):
/// P = exp(S − LSE), dV = Pᵀ·dO, dS = P ∘ (dO·Vᵀ − rowsum(dO ∘ O)), dQ = scale·dS·K, dK = scale·dSᵀ·Q.
inline Gradients gradients(const Tensor<Bf16>& q, const Tensor<Bf16>& k, const Tensor<Bf16>& v, const Tensor<Bf16>& o,
                           const Tensor<float>& lse, const Tensor<Bf16>& d_out, bool causal, double scale) {
  Gradients result{Doubles(q.heads, q.rows, q.dim), Doubles(k.heads, k.rows, k.dim), Doubles(v.heads, v.rows, v.dim)};
  const std::int64_t group = q.heads / k.heads;
  for (std::int64_t h = 0; h < q.heads; ++h) {
    const std::int64_t g = h / group;
    for (std::int64_t i = 0; i < q.rows; ++i) {
      const double delta = dot_of_rows(d_out, h, i, o, h, i);
      for (std::int64_t j = 0; j < (causal ? std::min(i + 1, k.rows) : k.rows); ++j) {
        const double p = std::exp(scale * dot_of_rows(q, h, i, k, g, j) - static_cast<double>(lse.at(h, i)));
        const double ds = p * (dot_of_rows(d_out, h, i, v, g, j) - delta);
        for (std::int64_t d = 0; d < q.dim; ++d) {
          result.dq.at(h, i, d) += scale * ds * static_cast<double>(k.at(g, j, d));
          result.dk.at(g, j, d) += scale * ds * static_cast<double>(q.at(h, i, d));
        }
        for (std::int64_t d = 0; d < v.dim; ++d) result.dv.at(g, j, d) += p * static_cast<double>(d_out.at(h, i, d));
      }
    }
  }
  return result;
}

}  // namespace ringsim::cuda::tests
