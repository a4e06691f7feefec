#include "kernels/host/attention.hpp"

#include <algorithm>

namespace ringsim::host {
namespace {

// A tile of queries against a tile of keys: where it stands and what of it is seen.
struct Tile {
  Eigen::Index first_row = 0;
  Eigen::Index rows = 0;
  Eigen::Index first_column = 0;
  Eigen::Index columns = 0;
};

std::span<const std::int64_t> part(const Positions& positions, Eigen::Index first, Eigen::Index count) {
  return {positions.data() + first, static_cast<std::size_t>(count)};
}

template <class T>
void fit(Workspace<T>& workspace, const AttentionSpec& spec, Eigen::Index query_key_dim) {
  workspace.scaled_q.resize(spec.tile.queries, query_key_dim);
  workspace.scores.resize(spec.tile.queries, spec.tile.keys);
  workspace.d_scores.resize(spec.tile.queries, spec.tile.keys);
  workspace.m.resize(spec.tile.queries);
  workspace.l.resize(spec.tile.queries);
  workspace.visible.resize(static_cast<std::size_t>(spec.tile.queries));
}

// Calls visit(tile) for the tiles of a row of tiles that the mask does not empty, with workspace.visible filled.
template <class T, class Visit>
void for_each_seen_tile(const AttentionSpec& spec, const Positions& queries, const Positions& keys,
                        Eigen::Index first_row, Workspace<T>& workspace, const Visit& visit) {
  const Eigen::Index rows = std::min(spec.tile.queries, static_cast<Eigen::Index>(queries.size()) - first_row);
  const auto columns = static_cast<Eigen::Index>(keys.size());
  const auto query_part = part(queries, first_row, rows);
  for (Eigen::Index first = 0; first < columns; first += spec.tile.keys) {
    const Eigen::Index count = std::min(spec.tile.keys, columns - first);
    const auto key_part = part(keys, first, count);
    const Coverage covers = coverage(spec.mask, query_part, key_part);
    if (covers == Coverage::none) continue;
    for (std::size_t row = 0; row < query_part.size(); ++row) {
      workspace.visible[row] =
          covers == Coverage::whole ? KeyRange{0, count} : visible_keys(spec.mask, query_part[row], key_part);
    }
    visit(Tile{first_row, rows, first, count});
  }
}

}  // namespace

template <class T>
void attend(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys, Workspace<T>& workspace, BlockView<T> partial,
            Progress progress) {
  fit(workspace, spec, queries.block.q.dim);
  const Eigen::Index group = queries.block.q.heads / keys.block.k.heads;
  for (Eigen::Index head = 0; head < queries.block.q.heads; ++head) {
    const auto q = queries.block.q[head];
    const auto k = keys.block.k[head / group];
    const auto v = keys.block.v[head / group];
    auto o = partial.o[head];
    auto lse = partial.lse[head];
    for (Eigen::Index first = 0; first < q.rows(); first += spec.tile.queries) {
      const Eigen::Index rows = std::min(spec.tile.queries, q.rows() - first);
      auto scaled_q = workspace.scaled_q.topRows(rows);
      scaled_q = static_cast<T>(spec.scale) * q.middleRows(first, rows);
      const SoftmaxState<T> state{workspace.m.head(rows), workspace.l.head(rows), o.middleRows(first, rows)};
      clear(state);
      for_each_seen_tile(spec, queries.positions, keys.positions, first, workspace, [&](const Tile& tile) {
        auto scores = workspace.scores.topLeftCorner(tile.rows, tile.columns);
        scores.noalias() = scaled_q * k.middleRows(tile.first_column, tile.columns).transpose();
        progress();
        fold<T>(state, scores, workspace.visible, v.middleRows(tile.first_column, tile.columns));
        progress();
      });
      finish(state);
      lse.middleRows(first, rows) = state.m;
    }
  }
}

template <class T>
void attend_backward(const AttentionSpec& spec, Placed<T> queries, Placed<T> keys, Workspace<T>& workspace,
                     BlockView<T> gradient, Progress progress) {
  fit(workspace, spec, queries.block.q.dim);
  const Eigen::Index group = queries.block.q.heads / keys.block.k.heads;
  for (Eigen::Index head = 0; head < keys.block.k.heads; ++head) {
    gradient.k[head].setZero();
    gradient.v[head].setZero();
  }
  for (Eigen::Index head = 0; head < queries.block.q.heads; ++head) {
    const auto q = queries.block.q[head];
    const auto k = keys.block.k[head / group];
    const auto v = keys.block.v[head / group];
    const auto d_out = queries.block.d_out[head];
    const auto lse = queries.block.lse[head];
    const auto delta = queries.block.delta[head];
    auto dq = gradient.q[head];
    auto dk = gradient.k[head / group];
    auto dv = gradient.v[head / group];
    for (Eigen::Index first = 0; first < q.rows(); first += spec.tile.queries) {
      const Eigen::Index rows = std::min(spec.tile.queries, q.rows() - first);
      auto scaled_q = workspace.scaled_q.topRows(rows);
      scaled_q = static_cast<T>(spec.scale) * q.middleRows(first, rows);
      const auto tile_d_out = d_out.middleRows(first, rows);
      auto tile_dq = dq.middleRows(first, rows);
      tile_dq.setZero();
      for_each_seen_tile(spec, queries.positions, keys.positions, first, workspace, [&](const Tile& tile) {
        const auto tile_k = k.middleRows(tile.first_column, tile.columns);
        auto p = workspace.scores.topLeftCorner(tile.rows, tile.columns);
        auto ds = workspace.d_scores.topLeftCorner(tile.rows, tile.columns);
        p.noalias() = scaled_q * tile_k.transpose();
        progress();
        ds.noalias() = tile_d_out * v.middleRows(tile.first_column, tile.columns).transpose();
        progress();
        for (Eigen::Index row = 0; row < tile.rows; ++row) {
          const KeyRange range = workspace.visible[static_cast<std::size_t>(row)];
          auto p_row = p.row(row).array();
          auto ds_row = ds.row(row).array();
          for (auto* all : {&p_row, &ds_row}) {
            all->head(range.first).setZero();
            all->tail(all->size() - range.last).setZero();
          }
          auto p_seen = p_row.segment(range.first, range.size());
          auto ds_seen = ds_row.segment(range.first, range.size());
          p_seen = (p_seen - lse(first + row, 0)).exp();
          ds_seen = p_seen * (ds_seen - delta(first + row, 0));
        }
        dv.middleRows(tile.first_column, tile.columns).noalias() += p.transpose() * tile_d_out;
        progress();
        dk.middleRows(tile.first_column, tile.columns).noalias() += ds.transpose() * scaled_q;  // σ is in scaled_q
        progress();
        tile_dq.noalias() += ds * tile_k;
        progress();
      });
      tile_dq *= static_cast<T>(spec.scale);
    }
  }
}

template <class T>
void delta_of(HeadsView<const T> d_out, HeadsView<const T> o, HeadsView<T> delta) {
  for (Eigen::Index head = 0; head < o.heads; ++head) {
    delta[head] = d_out[head].cwiseProduct(o[head]).rowwise().sum();
  }
}

template void attend(const AttentionSpec&, Placed<float>, Placed<float>, Workspace<float>&, BlockView<float>, Progress);
template void attend(const AttentionSpec&, Placed<double>, Placed<double>, Workspace<double>&, BlockView<double>,
                     Progress);
template void attend_backward(const AttentionSpec&, Placed<float>, Placed<float>, Workspace<float>&, BlockView<float>,
                              Progress);
template void attend_backward(const AttentionSpec&, Placed<double>, Placed<double>, Workspace<double>&,
                              BlockView<double>, Progress);
template void delta_of(HeadsView<const float>, HeadsView<const float>, HeadsView<float>);
template void delta_of(HeadsView<const double>, HeadsView<const double>, HeadsView<double>);

}  // namespace ringsim::host
