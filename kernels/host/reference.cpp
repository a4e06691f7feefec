#include "kernels/host/reference.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

namespace ringsim::host {
namespace {

struct Softmax {
  Matrix<double> p;    // [queries][keys], rows without a key all 0
  Matrix<double> lse;  // [queries][1]
};

Softmax softmax_of_scores(const Matrix<double>& q, const Matrix<double>& k, const Mask& mask, double scale) {
  Softmax result{scale * (q * k.transpose()), Matrix<double>(q.rows(), 1)};
  for (Eigen::Index i = 0; i < q.rows(); ++i) {
    double highest = -std::numeric_limits<double>::infinity();
    const Eigen::Index position = i + k.rows() - q.rows();
    const auto masked = [&](Eigen::Index j) {
      const bool future = mask.causal && j > position;
      return future || (mask.window.has_value() && std::abs(position - j) >= *mask.window);
    };
    for (Eigen::Index j = 0; j < k.rows(); ++j) {
      if (!masked(j)) highest = std::max(highest, result.p(i, j));
    }
    double sum = 0;
    for (Eigen::Index j = 0; j < k.rows(); ++j) {
      result.p(i, j) = masked(j) ? 0.0 : std::exp(result.p(i, j) - highest);
      sum += result.p(i, j);
    }
    if (sum > 0) result.p.row(i) /= sum;
    result.lse(i, 0) = sum > 0 ? highest + std::log(sum) : highest;
  }
  return result;
}

}  // namespace

Partial<double> reference_attention(const Block<double>& sequence, const Mask& mask, double scale) {
  const std::size_t group = sequence.q.size() / sequence.k.size();
  Partial<double> result;
  for (std::size_t head = 0; head < sequence.q.size(); ++head) {
    Softmax softmax = softmax_of_scores(sequence.q[head], sequence.k[head / group], mask, scale);
    result.o.emplace_back(softmax.p * sequence.v[head / group]);
    result.lse.push_back(std::move(softmax.lse));
  }
  return result;
}

Block<double> reference_gradients(const Block<double>& sequence, const Mask& mask, double scale) {
  const std::size_t group = sequence.q.size() / sequence.k.size();
  Block<double> gradient;
  for (const auto& k : sequence.k) gradient.k.emplace_back(Matrix<double>::Zero(k.rows(), k.cols()));
  for (const auto& v : sequence.v) gradient.v.emplace_back(Matrix<double>::Zero(v.rows(), v.cols()));
  for (std::size_t head = 0; head < sequence.q.size(); ++head) {
    const Matrix<double>& q = sequence.q[head];
    const Matrix<double>& k = sequence.k[head / group];
    const Matrix<double>& d_out = sequence.d_out[head];
    const Matrix<double> p = softmax_of_scores(q, k, mask, scale).p;
    const Matrix<double> dp = d_out * sequence.v[head / group].transpose();
    const Matrix<double> mean = p.cwiseProduct(dp).rowwise().sum();
    const Matrix<double> ds = p.cwiseProduct(dp - mean.replicate(1, dp.cols()));
    gradient.q.emplace_back(scale * (ds * k));
    gradient.k[head / group] += scale * (ds.transpose() * q);
    gradient.v[head / group] += p.transpose() * d_out;
  }
  return gradient;
}

}  // namespace ringsim::host
