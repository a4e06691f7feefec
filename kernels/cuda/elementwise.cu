// Sums, conversions and zeros: a pass over a block, element by element.
//
// A thread takes `width` neighbouring elements at a time, which is 16 bytes of the wider of the two formats, and several such
// groups before it stores the first, so that enough loads are under way to keep the memory busy. Blocks go through a head's
// elements in strides; heads are the grid's second dimension, which saves a division per element.

#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/merge.hpp"
#include "kernels/cuda/vectors.hpp"
#include "models/error.hpp"

#include <algorithm>
#include <cstdint>

namespace ringsim::cuda {
namespace {

constexpr int threads = 256;
constexpr int blocks_per_sm = 4;  // what registers allow
constexpr int at_once = 4;        // groups of a thread
constexpr std::int64_t groups_of_block = std::int64_t{threads} * at_once;

enum class Operation { add, convert, clear };

template <Operation operation, int width, class To, class From>
__global__ void __launch_bounds__(threads, blocks_per_sm)
    elementwise(View<To> to, View<const From> from, std::int64_t groups) {
  const std::int64_t stride = std::int64_t{gridDim.x} * groups_of_block;
  for (std::int64_t head = blockIdx.y; head < to.heads; head += gridDim.y) {
    To* const to_head = to.data + head * to.head_stride;
    const From* const from_head = operation == Operation::clear ? nullptr : from.data + head * from.head_stride;
    for (std::int64_t first = std::int64_t{blockIdx.x} * groups_of_block + threadIdx.x; first < groups;
         first += stride) {
      Floats<width> values[at_once];
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const std::int64_t group = first + std::int64_t{i} * threads;
        if (group >= groups) continue;
        if constexpr (operation == Operation::clear) {
          values[i] = {};
        } else {
          values[i] = load<width>(from_head + group * width);
        }
        if constexpr (operation == Operation::add) {
          const Floats<width> present = load<width>(to_head + group * width);
#pragma unroll
          for (int e = 0; e < width; ++e) values[i].x[e] += present.x[e];
        }
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        const std::int64_t group = first + std::int64_t{i} * threads;
        if (group < groups) store<width>(to_head + group * width, values[i]);
      }
    }
  }
}

template <class T>
bool can_be_read(const View<T>& view, std::int64_t width) {
  const auto bytes = static_cast<std::uintptr_t>(width) * sizeof(T);
  return view.rows * view.dim % width == 0 && view.head_stride % width == 0 &&
         reinterpret_cast<std::uintptr_t>(view.data) % bytes == 0;
}

template <Operation operation, int width, class To, class From>
void enqueue(View<To> to, View<const From> from, cudaStream_t stream) {
  const std::int64_t groups = to.rows * to.dim / width;
  const unsigned over_all = blocks_for(groups * to.heads, groups_of_block, blocks_per_sm);
  const auto heads = static_cast<unsigned>(std::min<std::int64_t>(to.heads, 65535));
  const std::int64_t needed = (groups + groups_of_block - 1) / groups_of_block;
  const auto of_a_head = static_cast<unsigned>(std::min<std::int64_t>(needed, (over_all + heads - 1) / heads));
  launch("elementwise kernel", elementwise<operation, width, To, From>, {dim3(of_a_head, heads), dim3(threads)}, stream,
         to, from, groups);
}

// Heads without gaps between them are one long head.
template <class T>
View<T> joined(View<T> view) {
  return {view.data, 1, view.heads * view.rows, view.dim, view.heads * view.rows * view.dim};
}

template <Operation operation, class To, class From>
void run(View<To> to, View<const From> from, cudaStream_t stream) {
  if (operation == Operation::clear) from = {nullptr, to.heads, to.rows, to.dim, to.head_stride};
  if (to.heads != from.heads || to.rows != from.rows || to.dim != from.dim) {
    throw Error("an elementwise kernel was given blocks of different sizes");
  }
  if (to.elements() == 0) return;
  const std::int64_t whole = to.rows * to.dim;
  if (to.head_stride == whole && from.head_stride == whole) {
    to = joined(to);
    from = joined(from);
  }
  constexpr int width = 16 / static_cast<int>(sizeof(To) > sizeof(From) ? sizeof(To) : sizeof(From));
  if (can_be_read(to, width) && can_be_read(from, width)) {
    enqueue<operation, width>(to, from, stream);
  } else {
    enqueue<operation, 1>(to, from, stream);
  }
}

}  // namespace

void add(View<float> to, View<const float> from, cudaStream_t stream) { run<Operation::add>(to, from, stream); }
void add(View<float> to, View<const Bf16> from, cudaStream_t stream) { run<Operation::add>(to, from, stream); }
void add(View<Bf16> to, View<const Bf16> from, cudaStream_t stream) { run<Operation::add>(to, from, stream); }

void convert(View<float> to, View<const Bf16> from, cudaStream_t stream) { run<Operation::convert>(to, from, stream); }
void convert(View<Bf16> to, View<const float> from, cudaStream_t stream) { run<Operation::convert>(to, from, stream); }
void convert(View<Bf16> to, View<const Bf16> from, cudaStream_t stream) { run<Operation::convert>(to, from, stream); }
void convert(View<float> to, View<const float> from, cudaStream_t stream) { run<Operation::convert>(to, from, stream); }

void clear(View<float> to, cudaStream_t stream) { run<Operation::clear>(to, View<const float>{}, stream); }
void clear(View<Bf16> to, cudaStream_t stream) { run<Operation::clear>(to, View<const Bf16>{}, stream); }

}  // namespace ringsim::cuda
