#include "tests/device/plain_attention.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringsim::cuda::device_tests {

PlainAttention plain_attention(const Operands& operands) {
  const Problem& p = operands.problem;
  const auto index = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  const std::vector<double> q = on_host(operands.q);
  const std::vector<double> k = on_host(operands.k);
  const std::vector<double> v = on_host(operands.v);
  const std::vector<double> d_out = on_host(operands.d_out);
  const double scale = 1 / std::sqrt(static_cast<double>(p.dim));
  PlainAttention result;
  result.o.assign(q.size(), 0);
  result.dq.assign(q.size(), 0);
  result.dk.assign(k.size(), 0);
  result.dv.assign(v.size(), 0);
  std::vector<double> weights(index(p.keys));
  for (std::int64_t h = 0; h < p.heads; ++h) {
    const std::int64_t g = h / (p.heads / p.key_heads);
    for (std::int64_t i = 0; i < p.queries; ++i) {
      const std::int64_t seen = p.causal ? std::min(p.keys, i + 1) : p.keys;
      const std::size_t row = index((h * p.queries + i) * p.dim);
      const auto key_row = [&](std::int64_t j) { return index((g * p.keys + j) * p.dim); };
      double most = -std::numeric_limits<double>::infinity();
      for (std::int64_t j = 0; j < seen; ++j) {
        double s = 0;
        for (std::size_t d = 0; d < index(p.dim); ++d) s += q[row + d] * k[key_row(j) + d];
        weights[index(j)] = scale * s;
        most = std::max(most, scale * s);
      }
      double sum = 0;
      for (std::int64_t j = 0; j < seen; ++j) sum += std::exp(weights[index(j)] - most);
      const double lse = most + std::log(sum);
      result.lse.push_back(lse);
      for (std::int64_t j = 0; j < seen; ++j) {
        weights[index(j)] = std::exp(weights[index(j)] - lse);
        for (std::size_t d = 0; d < index(p.dim); ++d) result.o[row + d] += weights[index(j)] * v[key_row(j) + d];
      }
      double delta = 0;
      for (std::size_t d = 0; d < index(p.dim); ++d) delta += d_out[row + d] * result.o[row + d];
      for (std::int64_t j = 0; j < seen; ++j) {
        double dp = 0;
        for (std::size_t d = 0; d < index(p.dim); ++d) dp += d_out[row + d] * v[key_row(j) + d];
        const double ds = weights[index(j)] * (dp - delta);
        for (std::size_t d = 0; d < index(p.dim); ++d) {
          result.dv[key_row(j) + d] += weights[index(j)] * d_out[row + d];
          result.dq[row + d] += scale * ds * k[key_row(j) + d];
          result.dk[key_row(j) + d] += scale * ds * q[row + d];
        }
      }
    }
  }
  return result;
}

}  // namespace ringsim::cuda::device_tests
