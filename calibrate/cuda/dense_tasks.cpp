// Matrix products, merges and copies of memory.
#include "calibrate/cuda/tasks.hpp"
#include "kernels/cuda/probes.hpp"

#include <fmt/format.h>

namespace ringsim::calibrate {
namespace {

Task product_task(const GpuBench& bench, std::int64_t m, std::int64_t n, std::int64_t k) {
  GemmPoint point;
  point.m = m;
  point.n = n;
  point.k = k;
  point.source = fmt::format("matrix product {}x{}x{}", m, n, k);
  return {point.source, 0.5, [&bench, point](const SamplingRule& rule) {
            const auto a = random_numbers(static_cast<std::size_t>(point.m * point.k), 1);
            const auto b = random_numbers(static_cast<std::size_t>(point.k * point.n), 2);
            const auto c = poisoned<cuda::Bf16>(static_cast<std::size_t>(point.m * point.n));
            const MatrixProduct product = bench.kernels.product(point.m, point.n, point.k);
            return outcome_of(point, bench.sampler.alone(rule, [&](cudaStream_t stream) {
              product(a.data(), b.data(), c.data(), stream);
            }));
          }};
}

// fp32 accumulator and bf16 result of a kernel, as a ring folds them, over elements that stay finite however often that is done.
Task merge_task(const GpuBench& bench, Accumulator what, std::int64_t tokens, bool optional) {
  MergePoint point;
  point.accumulator = what;
  point.travelling = what == Accumulator::kv_gradient;  // as in a ring whose K and V travel
  point.tokens = static_cast<double>(tokens);
  point.shape.heads = bench.heads();
  const char* name = what == Accumulator::output ? "O" : what == Accumulator::q_gradient ? "dQ" : "dK/dV";
  point.source = fmt::format("merge {} {} tokens", name, tokens);
  return {point.source, 0.5,
          [&bench, point, tokens](const SamplingRule& rule) {
            const std::int64_t dim = bench.options.head_dim;
            // K and V gradients are two tensors of as many heads, which one pass over both adds.
            const std::int64_t heads =
                point.accumulator == Accumulator::kv_gradient ? 2 * bench.options.kv_heads : bench.options.query_heads;
            const auto elements = static_cast<std::size_t>(heads * tokens * dim);
            const cuda::Memory<float> accumulated(elements);
            const cuda::Memory<float> lse(static_cast<std::size_t>(heads * tokens));
            const auto partial = random_numbers(elements, 1);
            const cuda::Memory<float> partial_lse(lse.size());
            const auto into = cuda::contiguous(accumulated.data(), heads, tokens, dim);
            const auto from = cuda::contiguous<const cuda::Bf16>(partial.data(), heads, tokens, dim);
            const auto lse_view = cuda::contiguous(lse.data(), heads, tokens, std::int64_t{1});
            const auto partial_lse_view = cuda::contiguous(partial_lse.data(), heads, tokens, std::int64_t{1});
            cuda::clear(into, nullptr);
            cuda::clear(lse_view, nullptr);
            cuda::clear(partial_lse_view, nullptr);
            cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
            return outcome_of(point, bench.sampler.alone(rule, [&](cudaStream_t stream) {
              if (point.accumulator == Accumulator::output) {
                cuda::merge_output({into, lse_view}, from, partial_lse_view, stream);
              } else {
                cuda::add(into, from, stream);
              }
            }));
          },
          optional};
}

// Memory read and written by all SMs, or by one kernel that changes the number format.
Task stream_task(const GpuBench& bench, std::size_t bytes) {
  StreamPoint point;
  point.bytes = 2 * static_cast<double>(bytes);
  point.source = "copy by all SMs of " + size_name(bytes);
  return {point.source, 0.3, [&bench, point, bytes](const SamplingRule& rule) {
            const auto from = random_numbers(bytes / sizeof(cuda::Bf16), 1);
            const auto to = poisoned<cuda::Bf16>(bytes / sizeof(cuda::Bf16));
            return outcome_of(point, bench.sampler.alone(rule, [&](cudaStream_t stream) {
              cuda::stream_copy(to.data(), from.data(), bytes, stream);
            }));
          }};
}

Task convert_task(const GpuBench& bench, std::int64_t tokens) {
  const std::int64_t elements = bench.options.query_heads * tokens * bench.options.head_dim;
  StreamPoint point;
  point.bytes = 6 * static_cast<double>(elements);  // 4 B read, 2 B written
  point.source = fmt::format("conversion of O to bf16, {} tokens", tokens);
  return {point.source, 0.3,
          [&bench, point, tokens, elements](const SamplingRule& rule) {
            const cuda::Memory<float> from(static_cast<std::size_t>(elements));
            const auto to = poisoned<cuda::Bf16>(static_cast<std::size_t>(elements));
            const auto source =
                cuda::contiguous(from.data(), bench.options.query_heads, tokens, bench.options.head_dim);
            const auto target = cuda::contiguous(to.data(), bench.options.query_heads, tokens, bench.options.head_dim);
            {
              const auto numbers = random_numbers(static_cast<std::size_t>(elements), 1);
              cuda::convert(source,
                            cuda::contiguous<const cuda::Bf16>(numbers.data(), bench.options.query_heads, tokens,
                                                               bench.options.head_dim),
                            nullptr);
              cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
            }
            return outcome_of(point, bench.sampler.alone(rule, [&](cudaStream_t stream) {
              cuda::convert(target, cuda::View<const float>(source), stream);
            }));
          },
          true};
}

}  // namespace

std::vector<Task> dense_tasks(const GpuBench& bench) {
  std::vector<Task> tasks;
  if (bench.kernels.product) {
    // Squares, and the wide and narrow products of a layer; few rows, which memory bounds.
    const std::int64_t most = bench.options.rows_of_products;
    for (std::int64_t m = most; 8 * m >= most; m /= 2) tasks.push_back(product_task(bench, m, m, m));
    tasks.push_back(product_task(bench, most, most / 2, most / 2));
    for (const std::int64_t few : {16, 128, 1024}) {
      if (few < most / 8) tasks.push_back(product_task(bench, few, most, most / 2));
    }
  }
  const std::int64_t least = bench.options.least_tokens;
  for (const Accumulator what : {Accumulator::output, Accumulator::q_gradient, Accumulator::kv_gradient}) {
    for (std::int64_t tokens = least; tokens <= bench.options.most_tokens; tokens *= 4) {
      tasks.push_back(merge_task(bench, what, tokens, what == Accumulator::q_gradient));
    }
  }
  tasks.push_back(convert_task(bench, bench.options.most_tokens / 2));
  tasks.push_back(stream_task(bench, bench.options.most_bytes / 4));
  tasks.push_back(stream_task(bench, bench.options.most_bytes));
  return tasks;
}

}  // namespace ringsim::calibrate
