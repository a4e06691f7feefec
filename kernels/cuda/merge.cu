// Merging an output into the accumulator, one pass over both.
//
// With d = |L1 − L2| and e = exp(−d), the larger log-sum-exp weighs 1/(1 + e), the smaller one e/(1 + e), and
// L = max(L1, L2) + log(1 + e): the formulas of merge.hpp without the difference of two nearly equal numbers, so that the
// weights are exact to rounding however large L is.
//
// A row belongs to some lanes of one warp. The first of them alone reads and writes the log-sum-exps and tells the others the
// weights, so that nobody reads an accumulated log-sum-exp that has been written already.

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/merge.hpp"
#include "kernels/cuda/vectors.hpp"
#include "models/error.hpp"

#include <cmath>
#include <cstdint>

namespace ringsim::cuda {
namespace {

constexpr int threads = 256;
constexpr int blocks_per_sm = 4;  // what registers allow
constexpr int warp = 32;
constexpr int rows_at_once = 2;  // of a group of lanes
constexpr unsigned all_lanes = 0xffffffffU;

enum class Fold { merge, start, clear };

struct Weights {
  float accumulator = 0;
  float result = 0;
  float lse = 0;
};

__device__ __forceinline__ Weights weights_of(float accumulated, float added) {
  // An output over no key counts nothing: −∞ − −∞ is never computed.
  if (added == -INFINITY) return {accumulated == -INFINITY ? 0.0F : 1.0F, 0.0F, accumulated};
  if (accumulated == -INFINITY) return {0.0F, 1.0F, added};
  const bool more = added > accumulated;
  // NaN in either goes through to all three: data that never arrived must show.
  const float e = expf(-fabsf(accumulated - added));
  const float large = 1.0F / (1.0F + e);
  const float small = e * large;
  return {more ? small : large, more ? large : small, (more ? added : accumulated) + log1pf(e)};
}

// What weighs nothing may be anything, NaN too.
__device__ __forceinline__ float weigh(float weight, float value) { return weight == 0.0F ? 0.0F : weight * value; }

// Where a row begins in the four tensors. Offsets, not pointers, which for a row that does not exist would be null: then the
// compiler no longer knows that they point into global memory.
struct Row {
  bool exists = false;
  std::int64_t o = 0;
  std::int64_t lse = 0;
  std::int64_t result = 0;
  std::int64_t result_lse = 0;
};

template <class T>
__device__ __forceinline__ std::int64_t offset(const View<T>& view, std::int64_t head, std::int64_t row) {
  return head * view.head_stride + row * view.dim;
}

__device__ __forceinline__ Row row_of(const OutputAccumulator& into, const View<const Bf16>& o,
                                      const View<const float>& lse, std::int64_t number) {
  if (number >= into.o.heads * into.o.rows) return {};
  // In 32 bits, as a division in 64 would take longer than the row's data; run() has looked at the size.
  const std::int64_t head = static_cast<std::uint32_t>(number) / static_cast<std::uint32_t>(into.o.rows);
  const std::int64_t row = number - head * into.o.rows;
  return {true, offset(into.o, head, row), offset(into.lse, head, row), offset(o, head, row), offset(lse, head, row)};
}

/// What a lane has loaded of its rows: a group of `width` neighbours in each.
template <int width>
struct Loaded {
  Floats<width> present[rows_at_once];  // of the accumulator
  Floats<width> added[rows_at_once];
};

template <Fold fold, int width>
__device__ __forceinline__ Loaded<width> load_group(const OutputAccumulator& into, const View<const Bf16>& o,
                                                    const Row (&row)[rows_at_once], std::int64_t first) {
  Loaded<width> loaded = {};
#pragma unroll
  for (int i = 0; i < rows_at_once; ++i) {
    if (!row[i].exists || first >= into.o.dim) continue;
    if constexpr (fold == Fold::merge) loaded.present[i] = load<width>(into.o.data + row[i].o + first);
    if constexpr (fold != Fold::clear) loaded.added[i] = load<width>(o.data + row[i].result + first);
  }
  return loaded;
}

template <Fold fold, int width>
__device__ __forceinline__ void store_group(const OutputAccumulator& into, const Row (&row)[rows_at_once],
                                            const Weights (&weights)[rows_at_once], std::int64_t first,
                                            Loaded<width> loaded) {
#pragma unroll
  for (int i = 0; i < rows_at_once; ++i) {
    if (!row[i].exists || first >= into.o.dim) continue;
    if constexpr (fold == Fold::merge) {
#pragma unroll
      for (int e = 0; e < width; ++e) {
        loaded.added[i].x[e] =
            weigh(weights[i].accumulator, loaded.present[i].x[e]) + weigh(weights[i].result, loaded.added[i].x[e]);
      }
    }
    store<width>(into.o.data + row[i].o + first, loaded.added[i]);
  }
}

// `lanes`: of a row; a power of two, at most a warp. The first groups of the rows are loaded together with the log-sum-exps, so
// that a row costs the memory's latency once.
template <Fold fold, int width>
__global__ void __launch_bounds__(threads, blocks_per_sm)
    fold_output(OutputAccumulator into, View<const Bf16> o, View<const float> lse, int lanes) {
  const std::int64_t groups_of_lanes = std::int64_t{gridDim.x} * threads / lanes;
  const std::int64_t mine = (std::int64_t{blockIdx.x} * threads + threadIdx.x) / lanes;
  const int lane = static_cast<int>(threadIdx.x) % lanes;
  const std::int64_t rows = into.o.heads * into.o.rows;
  const std::int64_t step = std::int64_t{lanes} * width;
  // All lanes of a warp make the same turns, as they must for the exchange: what counts is the warp's first row.
  const std::int64_t first_of_warp = (std::int64_t{blockIdx.x} * threads + threadIdx.x - threadIdx.x % warp) / lanes;
  for (std::int64_t base = 0; first_of_warp + base < rows; base += groups_of_lanes * rows_at_once) {
    Row row[rows_at_once];
    float accumulated[rows_at_once];
    float added[rows_at_once];
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      row[i] = row_of(into, o, lse, base + i * groups_of_lanes + mine);
      const bool reads = lane == 0 && row[i].exists;
      accumulated[i] = fold == Fold::merge && reads ? into.lse.data[row[i].lse] : -INFINITY;
      added[i] = fold != Fold::clear && reads ? lse.data[row[i].result_lse] : -INFINITY;
    }
    std::int64_t first = std::int64_t{lane} * width;
    Loaded<width> loaded = load_group<fold, width>(into, o, row, first);
    Weights weights[rows_at_once];
#pragma unroll
    for (int i = 0; i < rows_at_once; ++i) {
      weights[i] = weights_of(accumulated[i], added[i]);
      if (lane == 0 && row[i].exists) into.lse.data[row[i].lse] = weights[i].lse;
      if constexpr (fold == Fold::merge) {
        weights[i].accumulator = __shfl_sync(all_lanes, weights[i].accumulator, 0, lanes);
        weights[i].result = __shfl_sync(all_lanes, weights[i].result, 0, lanes);
      }
    }
    for (; first < into.o.dim; first += step) {
      store_group<fold, width>(into, row, weights, first, loaded);
      loaded = load_group<fold, width>(into, o, row, first + step);
    }
  }
}

template <class A, class B>
bool same_size(const View<A>& a, const View<B>& b) {
  return a.heads == b.heads && a.rows == b.rows && a.dim == b.dim;
}

// Whether every row begins on a boundary of `width` elements.
template <class T>
bool in_units(const View<T>& view, std::int64_t width) {
  const auto bytes = static_cast<std::uintptr_t>(width) * sizeof(T);
  return view.dim % width == 0 && view.head_stride % width == 0 &&
         reinterpret_cast<std::uintptr_t>(view.data) % bytes == 0;
}

template <Fold fold, int width>
void enqueue(const OutputAccumulator& into, View<const Bf16> o, View<const float> lse, cudaStream_t stream) {
  int lanes = 1;
  while (lanes < warp && std::int64_t{lanes} * width < into.o.dim) lanes *= 2;
  const std::int64_t rows_of_block = std::int64_t{threads} / lanes * rows_at_once;
  const unsigned blocks = blocks_for(into.o.heads * into.o.rows, rows_of_block, blocks_per_sm);
  launch("merge kernel", fold_output<fold, width>, {dim3(blocks), dim3(threads)}, stream, into, o, lse, lanes);
}

template <Fold fold>
void run(const OutputAccumulator& into, View<const Bf16> o, View<const float> lse, cudaStream_t stream) {
  if (into.lse.dim != 1 || into.lse.heads != into.o.heads || into.lse.rows != into.o.rows ||
      (fold != Fold::clear && (!same_size(into.o, o) || !same_size(into.lse, lse)))) {
    throw Error("an accumulator and the output for it have different sizes");
  }
  if (into.o.elements() == 0) return;
  if (into.o.heads * into.o.rows > UINT32_MAX) throw Error("an output of more than 2^32 rows");
  constexpr int width = 4;  // 16 bytes of the accumulator
  if (in_units(into.o, width) && (fold == Fold::clear || in_units(o, width))) {
    enqueue<fold, width>(into, o, lse, stream);
  } else {
    enqueue<fold, 1>(into, o, lse, stream);
  }
}

}  // namespace

void merge_output(OutputAccumulator into, View<const Bf16> o, View<const float> lse, cudaStream_t stream) {
  run<Fold::merge>(into, o, lse, stream);
}
void start_output(OutputAccumulator into, View<const Bf16> o, View<const float> lse, cudaStream_t stream) {
  run<Fold::start>(into, o, lse, stream);
}
void clear_output(OutputAccumulator into, cudaStream_t stream) { run<Fold::clear>(into, {}, {}, stream); }

}  // namespace ringsim::cuda
