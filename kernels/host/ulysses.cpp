#include "kernels/host/ulysses.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ringsim::host {
namespace {

// All heads of some tokens of the sequence; tensors without heads stay so.
template <class T>
Heads<T> rows_of(const Heads<T>& all, const Positions& rows, Eigen::Index first, Eigen::Index count) {
  Heads<T> part;
  for (const Matrix<T>& head : all) {
    Matrix<T>& to = part.emplace_back(count, head.cols());
    for (Eigen::Index i = 0; i < count; ++i) to.row(i) = head.row(rows[static_cast<std::size_t>(first + i)]);
  }
  return part;
}

template <class T>
Heads<T> zeros(std::size_t heads, Eigen::Index rows, Eigen::Index dim) {
  return Heads<T>(heads, Matrix<T>::Zero(rows, dim));
}

Positions moved(const Positions& positions, std::int64_t by) {
  Positions result = positions;
  for (std::int64_t& position : result) position += by;
  return result;
}

}  // namespace

template <class T>
UlyssesGroup<T>::UlyssesGroup(const RingPlan& plan, std::vector<Rank<T>*> ranks, const std::vector<Block<T>>& layers)
    : plan_(plan), ranks_(std::move(ranks)) {
  const std::int64_t block = ranks_.front()->number();
  const Positions& keys = plan.positions[static_cast<std::size_t>(block)];
  const Positions queries = moved(keys, -plan.program.shards.cached());  // inputs hold no query of a cached token
  const Positions& all_keys = plan.key_positions(block, sim::Share::whole);
  const auto cached = std::ssize(all_keys) - std::ssize(keys);
  kv_heads_ = std::ssize(layers.front().k) / plan.program.shape.heads.batch;
  for (std::size_t u = 0; u < ranks_.size(); ++u) {
    std::vector<Outside<T>>& own = outside_.emplace_back();
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
      const Block<T>& all = layers[layer];
      Block<T>& inputs = own.emplace_back().inputs;
      inputs.q = rows_of(all.q, queries, first_row(u), rows(u));
      inputs.d_out = rows_of(all.d_out, queries, first_row(u), rows(u));
      inputs.k = rows_of(all.k, keys, first_row(u), rows(u));
      inputs.v = rows_of(all.v, keys, first_row(u), rows(u));
      BlockView<T> inside = ranks_[u]->own_keys(static_cast<std::int64_t>(layer));
      for (Eigen::Index head = 0; head < inside.k.heads; ++head) {
        const auto from = static_cast<std::size_t>(kv_head(u, head));
        for (Eigen::Index row = 0; row < cached; ++row) {
          inside.k[head].row(row) = all.k[from].row(all_keys[static_cast<std::size_t>(row)]);
          inside.v[head].row(row) = all.v[from].row(all_keys[static_cast<std::size_t>(row)]);
        }
      }
    }
  }
}

template <class T>
Eigen::Index UlyssesGroup<T>::first_row(std::size_t rank) const {
  const std::int64_t block = plan_.program.shards.block(ranks_.front()->number());
  return static_cast<std::int64_t>(rank) * block / std::ssize(ranks_);
}

template <class T>
Eigen::Index UlyssesGroup<T>::kv_head(std::size_t rank, Eigen::Index inside) const {
  const Eigen::Index each = plan_.program.shape.heads.kv_heads;
  const Eigen::Index first = static_cast<Eigen::Index>(rank) * kv_heads_ / std::ssize(ranks_);
  return inside / each * kv_heads_ + first + inside % each;
}

template <class T>
Eigen::Index UlyssesGroup<T>::query_head(std::size_t rank, Eigen::Index inside) const {
  const Eigen::Index each = plan_.program.shape.heads.query_heads;
  const Eigen::Index all = each * std::ssize(ranks_);
  return inside / each * all + static_cast<Eigen::Index>(rank) * each + inside % each;
}

template <class T>
void UlyssesGroup<T>::exchange(sim::Content content, std::int64_t layer) {
  switch (content) {
    case sim::Content::queries_keys:
    case sim::Content::output_gradient:
      for (std::size_t u = 0; u < ranks_.size(); ++u) enter(u, layer, content == sim::Content::queries_keys);
      return;
    case sim::Content::output:
      return leave_output(layer);
    case sim::Content::gradients:
      return leave_gradients(layer);
    default:
      throw std::logic_error("no collective of Ulysses ranks");
  }
}

template <class T>
void UlyssesGroup<T>::enter(std::size_t rank, std::int64_t layer, bool queries_keys) {
  BlockView<T> queries = ranks_[rank]->own_queries(layer);
  BlockView<T> keys = ranks_[rank]->own_keys(layer);
  const Eigen::Index cached = keys.k.rows - queries.q.rows;
  for (std::size_t from = 0; from < ranks_.size(); ++from) {
    const Block<T>& inputs = outside_[from][static_cast<std::size_t>(layer)].inputs;
    const auto put = [&](const Heads<T>& all, HeadsView<T> to, bool of_queries) {
      for (Eigen::Index head = 0; head < to.heads; ++head) {
        const Eigen::Index source = of_queries ? query_head(rank, head) : kv_head(rank, head);
        to[head].middleRows((of_queries ? 0 : cached) + first_row(from), rows(from)) =
            all[static_cast<std::size_t>(source)];
      }
    };
    if (queries_keys) {
      put(inputs.q, queries.q, true);
      put(inputs.k, keys.k, false);
      put(inputs.v, keys.v, false);
    } else {
      put(inputs.d_out, queries.d_out, true);
    }
  }
  const Pass pass = queries_keys ? Pass::forward : Pass::backward;
  ranks_[rank]->stage(pass, layer);
  ranks_[rank]->begin(pass, layer);
}

template <class T>
void UlyssesGroup<T>::leave_output(std::int64_t layer) {
  for (std::size_t to = 0; to < ranks_.size(); ++to) {
    Partial<T>& output = outside_[to][static_cast<std::size_t>(layer)].output;
    for (std::size_t from = 0; from < ranks_.size(); ++from) {
      const BlockView<const T> inside = ranks_[from]->output(layer);
      const std::size_t all = static_cast<std::size_t>(inside.o.heads) * ranks_.size();
      if (output.o.empty()) {
        output = {zeros<T>(all, rows(to), inside.o.dim), zeros<T>(all, rows(to), 1)};
      }
      for (Eigen::Index head = 0; head < inside.o.heads; ++head) {
        const auto place = static_cast<std::size_t>(query_head(from, head));
        output.o[place] = inside.o[head].middleRows(first_row(to), rows(to));
        output.lse[place] = inside.lse[head].middleRows(first_row(to), rows(to));
      }
    }
  }
}

template <class T>
void UlyssesGroup<T>::leave_gradients(std::int64_t layer) {
  for (Rank<T>* rank : ranks_) rank->end(Pass::backward, layer);
  for (std::size_t to = 0; to < ranks_.size(); ++to) {
    Block<T>& gradient = outside_[to][static_cast<std::size_t>(layer)].gradient;
    for (std::size_t from = 0; from < ranks_.size(); ++from) {
      const BlockView<const T> inside = ranks_[from]->gradient(layer);
      if (gradient.q.empty()) {
        const auto kv = static_cast<std::size_t>(kv_heads_ * plan_.program.shape.heads.batch);
        gradient.q = zeros<T>(static_cast<std::size_t>(inside.q.heads) * ranks_.size(), rows(to), inside.q.dim);
        gradient.k = zeros<T>(kv, rows(to), inside.k.dim);
        gradient.v = zeros<T>(kv, rows(to), inside.v.dim);
      }
      const Eigen::Index cached = inside.k.rows - inside.q.rows;
      for (Eigen::Index head = 0; head < inside.q.heads; ++head) {
        gradient.q[static_cast<std::size_t>(query_head(from, head))] =
            inside.q[head].middleRows(first_row(to), rows(to));
      }
      for (Eigen::Index head = 0; head < inside.k.heads; ++head) {
        const auto place = static_cast<std::size_t>(kv_head(from, head));
        gradient.k[place] += inside.k[head].middleRows(cached + first_row(to), rows(to));
        gradient.v[place] += inside.v[head].middleRows(cached + first_row(to), rows(to));
      }
    }
  }
}

template <class T>
void UlyssesGroup<T>::collect(std::int64_t layer, Partial<T>& output, Block<T>& gradient) const {
  const Positions queries =
      moved(plan_.positions[static_cast<std::size_t>(ranks_.front()->number())], -plan_.program.shards.cached());
  const std::int64_t tokens = plan_.program.shards.tokens();
  for (std::size_t u = 0; u < ranks_.size(); ++u) {
    const Outside<T>& own = outside_[u][static_cast<std::size_t>(layer)];
    const auto put = [&](const Heads<T>& from, Heads<T>& to) {
      to.resize(from.size());
      for (std::size_t head = 0; head < from.size(); ++head) {
        to[head].resize(tokens, from[head].cols());
        for (Eigen::Index i = 0; i < from[head].rows(); ++i) {
          to[head].row(queries[static_cast<std::size_t>(first_row(u) + i)]) = from[head].row(i);
        }
      }
    };
    put(own.output.o, output.o);
    put(own.output.lse, output.lse);
    put(own.gradient.q, gradient.q);
    put(own.gradient.k, gradient.k);
    put(own.gradient.v, gradient.v);
  }
}

template class UlyssesGroup<float>;
template class UlyssesGroup<double>;

}  // namespace ringsim::host
