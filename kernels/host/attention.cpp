#include "kernels/host/attention.hpp"

#include "kernels/host/merge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ringsim::host {
namespace {

// The mask by its definition in models/mask.hpp, one pair at a time.
bool sees(const Mask& mask, std::int64_t query, std::int64_t key) {
  const std::int64_t back = query - key;
  if (mask.causal && back < 0) return false;
  return !mask.window || (back < *mask.window && -back < *mask.window);
}

// All queries of a block against a tile of keys, for any head.
template <class T>
class Tile {
 public:
  Tile(const AttentionSpec& spec, const Positions& queries, const Positions& keys, Eigen::Index first)
      : spec_(spec),
        queries_(queries),
        keys_(keys),
        first_(first),
        rows_(static_cast<Eigen::Index>(queries.size())),
        columns_(std::min(spec.tile, static_cast<Eigen::Index>(keys.size()) - first)) {}
  [[nodiscard]] Eigen::Index columns() const { return columns_; }
  [[nodiscard]] bool visible(Eigen::Index row, Eigen::Index column) const {
    return sees(spec_.mask, queries_[static_cast<std::size_t>(row)], keys_[static_cast<std::size_t>(first_ + column)]);
  }
  [[nodiscard]] Matrix<T> of(const Matrix<T>& keys) const { return keys.middleRows(first_, columns_); }
  // σ·Q·Kᵀ, −∞ where masked.
  [[nodiscard]] Matrix<T> scores(const Matrix<T>& q, const Matrix<T>& k) const {
    Matrix<T> s = static_cast<T>(spec_.scale) * (q.topRows(rows_) * of(k).transpose());
    for (Eigen::Index row = 0; row < s.rows(); ++row) {
      for (Eigen::Index column = 0; column < s.cols(); ++column) {
        if (!visible(row, column)) s(row, column) = -std::numeric_limits<T>::infinity();
      }
    }
    return s;
  }

 private:
  const AttentionSpec& spec_;
  const Positions& queries_;
  const Positions& keys_;
  Eigen::Index first_;
  Eigen::Index rows_;
  Eigen::Index columns_;
};

}  // namespace

template <class T>
Partial<T> attend(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys) {
  const std::size_t group = queries.block.q.size() / keys.block.k.size();
  const auto rows = static_cast<Eigen::Index>(queries.positions.size());
  const auto columns = static_cast<Eigen::Index>(keys.positions.size());
  Partial<T> partial;
  for (std::size_t head = 0; head < queries.block.q.size(); ++head) {
    const Matrix<T>& k = keys.block.k[head / group];
    const Matrix<T>& v = keys.block.v[head / group];
    SoftmaxState<T> state(rows, v.cols());
    for (Eigen::Index first = 0; first < columns; first += spec.tile) {
      const Tile<T> tile(spec, queries.positions, keys.positions, first);
      fold<T>(state, tile.scores(queries.block.q[head], k), tile.of(v));
    }
    append_finished(state, partial);
  }
  return partial;
}

template <class T>
Block<T> attend_backward(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys) {
  const std::size_t group = queries.block.q.size() / keys.block.k.size();
  const auto rows = static_cast<Eigen::Index>(queries.positions.size());
  const auto columns = static_cast<Eigen::Index>(keys.positions.size());
  const auto scale = static_cast<T>(spec.scale);
  Block<T> gradient;
  for (const Matrix<T>& q : queries.block.q) gradient.q.push_back(Matrix<T>::Zero(rows, q.cols()));
  for (const Matrix<T>& k : keys.block.k) gradient.k.push_back(Matrix<T>::Zero(columns, k.cols()));
  for (const Matrix<T>& v : keys.block.v) gradient.v.push_back(Matrix<T>::Zero(columns, v.cols()));
  for (std::size_t head = 0; head < queries.block.q.size(); ++head) {
    const Matrix<T> q = queries.block.q[head].topRows(rows);
    const Matrix<T> d_out = queries.block.d_out[head].topRows(rows);
    const Matrix<T>& lse = queries.block.lse[head];
    const Matrix<T>& delta = queries.block.delta[head];
    for (Eigen::Index first = 0; first < columns; first += spec.tile) {
      const Tile<T> tile(spec, queries.positions, keys.positions, first);
      const Matrix<T> k = tile.of(keys.block.k[head / group]);
      Matrix<T> p = tile.scores(q, keys.block.k[head / group]);
      Matrix<T> ds = d_out * tile.of(keys.block.v[head / group]).transpose();
      for (Eigen::Index row = 0; row < rows; ++row) {
        for (Eigen::Index column = 0; column < tile.columns(); ++column) {
          // A masked entry is 0 whatever the statistics: −∞ − −∞ is not computed.
          const bool visible = tile.visible(row, column);
          p(row, column) = visible ? std::exp(p(row, column) - lse(row, 0)) : T{0};
          ds(row, column) = visible ? p(row, column) * (ds(row, column) - delta(row, 0)) : T{0};
        }
      }
      gradient.q[head].noalias() += scale * (ds * k);
      gradient.k[head / group].middleRows(first, tile.columns()).noalias() += scale * (ds.transpose() * q);
      gradient.v[head / group].middleRows(first, tile.columns()).noalias() += p.transpose() * d_out;
    }
  }
  return gradient;
}

template <class T>
Heads<T> delta_of(const Heads<T>& d_out, const Heads<T>& o) {
  Heads<T> delta;
  for (std::size_t head = 0; head < o.size(); ++head) {
    delta.emplace_back(d_out[head].cwiseProduct(o[head]).rowwise().sum());
  }
  return delta;
}

template Partial<float> attend(const AttentionSpec&, Placed<float>, Placed<float>);
template Partial<double> attend(const AttentionSpec&, Placed<double>, Placed<double>);
template Block<float> attend_backward(const AttentionSpec&, Placed<float>, Placed<float>);
template Block<double> attend_backward(const AttentionSpec&, Placed<double>, Placed<double>);
template Heads<float> delta_of(const Heads<float>&, const Heads<float>&);
template Heads<double> delta_of(const Heads<double>&, const Heads<double>&);

}  // namespace ringsim::host
