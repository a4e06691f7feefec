#pragma once
// Sequences of deterministic pseudo-random numbers, programs over them, and how far a result is from the reference.

#include "kernels/host/buffer.hpp"
#include "kernels/host/deviation.hpp"
#include "kernels/host/execute.hpp"
#include "kernels/host/merge.hpp"
#include "kernels/host/reference.hpp"
#include "sim/schedules/ring.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::host::inputs {

/// Numbers in [-1, 1) that float holds exactly. 64-bit linear congruential generator, constants of Knuth's MMIX; the
/// upper 24 bits are used.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<double>(state_ >> 40U) * 0x1p-23 - 1.0;
  }
  Heads<double> heads(std::int64_t count, std::int64_t tokens, std::int64_t dim) {
    Heads<double> heads(static_cast<std::size_t>(count), Matrix<double>(tokens, dim));
    for (Matrix<double>& head : heads) {
      for (double& x : head.reshaped()) x = next();
    }
    return heads;
  }

 private:
  std::uint64_t state_;
};

/// Of `tokens` tokens, and `cached` ones before them of which there are keys alone.
inline Block<double> sequence_of(const HeadShape& shape, std::int64_t tokens, std::uint64_t seed,
                                 std::int64_t cached = 0) {
  Numbers numbers(seed);
  Block<double> sequence;
  sequence.q = numbers.heads(shape.batch * shape.query_heads, tokens, shape.query_key_dim);
  sequence.k = numbers.heads(shape.batch * shape.kv_heads, cached + tokens, shape.query_key_dim);
  sequence.v = numbers.heads(shape.batch * shape.kv_heads, cached + tokens, shape.value_dim);
  sequence.d_out = numbers.heads(shape.batch * shape.query_heads, tokens, shape.value_dim);
  return sequence;
}

template <class T>
Heads<T> cast(const Heads<double>& heads) {
  Heads<T> result;
  for (const Matrix<double>& head : heads) result.push_back(head.cast<T>());
  return result;
}

template <class T>
Block<T> cast(const Block<double>& block) {
  Block<T> result;
  for_each_tensor(block, result, [](const Heads<double>& from, Heads<T>& to) { to = cast<T>(from); });
  return result;
}

/// A block of a tensor's tokens in a kernel's memory, all of what `shape` and the block both hold.
template <class T>
Buffer<T> buffer_of(const Block<T>& block, const BlockShape& shape, std::int64_t tokens) {
  Buffer<T> buffer(shape, tokens);
  Positions rows(static_cast<std::size_t>(tokens));
  std::iota(rows.begin(), rows.end(), 0);
  gather_rows(block, rows, buffer.view(tokens));
  return buffer;
}

template <class T>
Heads<T> heads_of(HeadsView<const T> view) {
  Heads<T> heads;
  for (Eigen::Index head = 0; head < view.heads; ++head) heads.emplace_back(view[head]);
  return heads;
}

template <class T>
HeadShape shape_of(const Block<T>& queries, const Block<T>& keys) {
  return {1, std::ssize(queries.q), std::ssize(keys.k), keys.k.at(0).cols(), keys.v.at(0).cols()};
}

/// The forward kernel on blocks of matrices.
template <class T>
Partial<T> attend(const AttentionSpec& spec, const Block<T>& queries, const Positions& query_positions,
                  const Block<T>& keys, const Positions& key_positions) {
  const HeadShape shape = shape_of(queries, keys);
  const std::int64_t rows = std::ssize(query_positions);
  const std::int64_t columns = std::ssize(key_positions);
  const Buffer<T> q = buffer_of(queries, query_block(shape), rows);
  const Buffer<T> kv = buffer_of(keys, key_block(shape), columns);
  Buffer<T> partial(output_block(shape), rows);
  Workspace<T> workspace;
  host::attend<T>(spec, {q.view(rows), query_positions}, {kv.view(columns), key_positions}, workspace,
                  partial.view(rows));
  return {heads_of<T>(partial.view(rows).o), heads_of<T>(partial.view(rows).lse)};
}

/// The backward kernel on blocks of matrices, of which `queries` has lse; its delta is computed from `o`.
template <class T>
Block<T> attend_backward(const AttentionSpec& spec, const Block<T>& queries, const Heads<T>& o,
                         const Positions& query_positions, const Block<T>& keys, const Positions& key_positions) {
  const HeadShape shape = shape_of(queries, keys);
  const std::int64_t rows = std::ssize(query_positions);
  const std::int64_t columns = std::ssize(key_positions);
  Buffer<T> q = buffer_of(queries, query_block(shape), rows);
  const Buffer<T> kv = buffer_of(keys, key_block(shape), columns);
  Buffer<T> output(output_block(shape), rows);
  for (Eigen::Index head = 0; head < std::ssize(o); ++head) {
    output.view(rows).o[head] = o[static_cast<std::size_t>(head)];
  }
  delta_of<T>(q.view(rows).d_out, output.view(rows).o, q.view(rows).delta);
  Buffer<T> dq(query_gradient_block(shape), rows);
  Buffer<T> dkv(key_block(shape), columns);
  BlockView<T> gradient = dkv.view(columns);
  gradient.q = dq.view(rows).q;
  Workspace<T> workspace;
  host::attend_backward<T>(spec, {q.view(rows), query_positions}, {kv.view(columns), key_positions}, workspace,
                           gradient);
  Block<T> result;
  result.q = heads_of<T>(gradient.q);
  result.k = heads_of<T>(gradient.k);
  result.v = heads_of<T>(gradient.v);
  return result;
}

/// Merges finished outputs of matrices.
template <class T>
void merge(Partial<T>& accumulator, const Partial<T>& partial) {
  const auto rows = accumulator.o.at(0).rows();
  const HeadShape shape{1, std::ssize(accumulator.o), 1, 1, accumulator.o.at(0).cols()};
  Buffer<T> sum(output_block(shape), rows);
  Buffer<T> other(output_block(shape), rows);
  for (Eigen::Index head = 0; head < shape.query_heads; ++head) {
    const auto h = static_cast<std::size_t>(head);
    sum.view(rows).o[head] = accumulator.o[h];
    sum.view(rows).lse[head] = accumulator.lse[h];
    other.view(rows).o[head] = partial.o.at(h);
    other.view(rows).lse[head] = partial.lse.at(h);
  }
  host::merge<T>(sum.view(rows), other.view(rows));
  accumulator = {heads_of<T>(sum.view(rows).o), heads_of<T>(sum.view(rows).lse)};
}

template <class T>
double deviation(const Heads<T>& result, const Heads<double>& reference) {
  Deviation deviation;
  deviation.add(result, reference);
  return deviation.value();
}

/// A ring to execute.
struct Ring {
  Layout layout = Layout::contiguous;
  std::int64_t ranks = 4;
  std::int64_t tokens = 16;
  std::int64_t buffers = 2;
  std::vector<Mask> masks = {Mask{true, std::nullopt}};  // one a layer
  HeadShape heads = {1, 2, 1, 3, 2};                     // of a rank inside of attention
  Rotation backward_travels = Rotation::kv;
  bool trains = true;
  Rotation travels = Rotation::kv;
  Exchange exchange = Exchange::one_way;
  Halves halves = Halves::heads;
  std::int64_t inner = 1;
  std::int64_t ulysses = 1;
  std::int64_t kv_heads_outside = 0;  // of all Ulysses ranks; 0: heads of its own for each
  std::int64_t cached = 0;

  [[nodiscard]] sim::Program program() const {
    sim::RingSpec spec{Shards(layout, tokens, ranks, cached),
                       RingShape{heads, Dtype::bf16, GradientDtype::fp32, travels, backward_travels},
                       buffers,
                       masks,
                       {},
                       exchange,
                       halves,
                       inner,
                       ulysses};
    for (std::size_t layer = 0; layer < masks.size(); ++layer) spec.mask_of_layer.push_back(layer);
    return sim::ring_program_of(spec, true, trains);
  }
  [[nodiscard]] double scale() const { return 1 / std::sqrt(static_cast<double>(heads.query_key_dim)); }
  [[nodiscard]] std::vector<Block<double>> inputs() const {
    std::vector<Block<double>> layers;
    layers.reserve(masks.size());
    HeadShape outside = heads;
    outside.query_heads *= ulysses;
    outside.kv_heads = kv_heads_outside > 0 ? kv_heads_outside : heads.kv_heads * ulysses;
    for (std::size_t layer = 0; layer < masks.size(); ++layer) {
      layers.push_back(sequence_of(outside, tokens, layer + 1, cached));
    }
    return layers;
  }
  [[nodiscard]] std::string text() const {
    std::string text(name_of(layout));
    text += " N=" + std::to_string(ranks) + " S=" + std::to_string(tokens) + " b=" + std::to_string(buffers) +
            " H/G=" + std::to_string(heads.query_heads) + "/" + std::to_string(heads.kv_heads) + " backward " +
            std::string(name_of(backward_travels)) + " " + std::string(name_of(exchange)) + " by " +
            std::string(name_of(halves)) + " forward " + std::string(name_of(travels)) + " M=" + std::to_string(inner) +
            " U=" + std::to_string(ulysses) + " P=" + std::to_string(cached);
    return text;
  }
};

/// Output and gradients of every layer by the reference.
inline std::vector<LayerResult<double>> expected(const Ring& ring) {
  const std::vector<Block<double>> layers = ring.inputs();
  std::vector<LayerResult<double>> results;
  for (std::size_t layer = 0; layer < layers.size(); ++layer) {
    results.push_back({reference_attention(layers[layer], ring.masks[layer], ring.scale()), {}});
    if (ring.trains) {
      results.back().gradient = reference_gradients(layers[layer], ring.masks[layer], ring.scale());
    }
  }
  return results;
}

/// Largest deviation over all layers and results of an execution of `program`, which is the ring's or a variant of it.
template <class T>
double deviation(const Ring& ring, const sim::Program& program, const std::vector<LayerResult<double>>& expected,
                 OrderChoice order, Tiling tile = {}) {
  std::vector<Block<T>> layers;
  for (const Block<double>& layer : ring.inputs()) layers.push_back(cast<T>(layer));
  const std::vector<LayerResult<T>> results = execute<T>(program, layers, {ring.scale(), tile, order});
  double worst = 0;
  for (std::size_t layer = 0; layer < results.size(); ++layer) {
    worst = std::max({worst, deviation(results[layer].output.o, expected[layer].output.o),
                      deviation(results[layer].output.lse, expected[layer].output.lse)});
    if (!ring.trains) continue;
    worst = std::max({worst, deviation(results[layer].gradient.q, expected[layer].gradient.q),
                      deviation(results[layer].gradient.k, expected[layer].gradient.k),
                      deviation(results[layer].gradient.v, expected[layer].gradient.v)});
  }
  return worst;
}

}  // namespace ringsim::host::inputs
