// Kernels beside transfers: each alone and both at once, with either of them ready first.
//
// A transfer that is ready first has its thread blocks on their SMs before the kernel comes, and the two share the device. A
// kernel of a full grid that is ready first leaves no SM: the transfer's blocks wait until blocks of the kernel end. The second
// is what a program gets that records an event behind the kernel's own wait; a profile's shares are of the first.
#include "calibrate/cuda/tasks.hpp"
#include "calibrate/paced_links.hpp"
#include "kernels/cuda/paced_copy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

namespace ringsim::calibrate {
namespace {

// A kernel to be disturbed.
struct KernelChoice {
  std::string name;
  std::optional<Pass> pass;  // of attention
  std::function<Work()> make;
};

// A transfer to disturb it, by its size.
struct TransferChoice {
  std::string name;
  TransferEngine engine = TransferEngine::sm_kernel;
  std::string link_class;
  std::int64_t blocks = 0;
  std::function<TransferWork(std::size_t bytes)> make;
};

Outcome measure(const GpuBench& bench, InterferencePoint point, const Work& kernel, const Work& transfer,
                SamplingRule rule) {
  rule.budget_s /= 3;
  const Sampling kernel_alone = bench.sampler.alone(rule, kernel);
  const Sampling transfer_alone = bench.sampler.transfer_alone(rule, transfer);
  const std::vector<Sampling> both = bench.sampler.beside(rule, kernel, transfer, point.kernel_first);
  point.kernel_alone = kernel_alone.timing();
  point.kernel_beside = both[0].timing();
  point.transfer_alone = transfer_alone.timing();
  point.transfer_beside = both[1].timing();
  Outcome outcome{{point, {}}, ""};
  for (const Sampling& one : {kernel_alone, both[0], transfer_alone, both[1]}) {
    outcome.benchmark.sets.push_back(samples_of(one));
    if (one.mostly_disturbed()) outcome.disturbed = one.note();
  }
  return outcome;
}

Task interference_task(const GpuBench& bench, const KernelChoice& kernel, const TransferChoice& transfer,
                       std::size_t bytes, bool kernel_first, bool optional) {
  InterferencePoint point;
  point.engine = transfer.engine;
  point.link_class = transfer.link_class;
  point.bytes = static_cast<double>(bytes);
  point.pass = kernel.pass;
  point.blocks = transfer.blocks;
  point.kernel_first = kernel_first;
  point.source = fmt::format("{} beside {} of {}, the {} ready first", kernel.name, transfer.name, size_name(bytes),
                             kernel_first ? "kernel" : "transfer");
  return {point.source, 1.5,
          [&bench, point, kernel, transfer, bytes](const SamplingRule& rule) {
            const Work work = kernel.make();
            return measure(bench, point, work, transfer.make(bytes).run, rule);
          },
          optional};
}

KernelChoice attention(const GpuBench& bench, Pass pass, std::int64_t tokens) {
  const BlockCase what{tokens, tokens, false};
  return {fmt::format("attention {} {}", name_of(pass), what.name()), pass,
          [&bench, pass, what] { return attention_work(bench, bench.kernels.attention, pass, what).run; }};
}

// A merge of outputs, repeated in place: memory bounds it.
KernelChoice merging(const GpuBench& bench, std::int64_t tokens) {
  return {fmt::format("merge O {} tokens", tokens), std::nullopt, [&bench, tokens]() -> Work {
            struct Held {
              cuda::Memory<float> o, lse, partial_lse;
              cuda::Memory<cuda::Bf16> partial;
            };
            const std::int64_t heads = bench.options.query_heads;
            const std::int64_t dim = bench.options.head_dim;
            const auto elements = static_cast<std::size_t>(heads * tokens * dim);
            const auto statistics = static_cast<std::size_t>(heads * tokens);
            const auto held =
                std::make_shared<Held>(Held{cuda::Memory<float>(elements), cuda::Memory<float>(statistics),
                                            cuda::Memory<float>(statistics), random_numbers(elements, 7)});
            const cuda::OutputAccumulator into{cuda::contiguous(held->o.data(), heads, tokens, dim),
                                               cuda::contiguous(held->lse.data(), heads, tokens, std::int64_t{1})};
            const auto partial_lse = cuda::contiguous(held->partial_lse.data(), heads, tokens, std::int64_t{1});
            cuda::clear(into.o, nullptr);
            cuda::clear(into.lse, nullptr);
            cuda::clear(partial_lse, nullptr);
            cuda::check(cudaStreamSynchronize(nullptr), "cudaStreamSynchronize");
            return [held, into, partial_lse, heads, tokens, dim](cudaStream_t stream) {
              cuda::merge_output(into, cuda::contiguous<const cuda::Bf16>(held->partial.data(), heads, tokens, dim),
                                 partial_lse, stream);
            };
          }};
}

TransferChoice paced(double rate, TransferEngine engine, int blocks) {
  const bool by_engine = engine == TransferEngine::copy_engine;
  return {by_engine ? std::string("a copy by the copy engine") : fmt::format("a copy by {} blocks", blocks), engine,
          paced_link_class(rate, engine), by_engine ? 0 : blocks,
          [=](std::size_t bytes) { return paced_work(rate, engine, blocks, 1, bytes); }};
}

TransferChoice nccl(const GpuBench& bench) {
  std::vector<int> devices;
  for (const cuda::DeviceInfo& device : bench.found.devices) devices.push_back(device.id);
  return {"NCCL's hop", TransferEngine::sm_kernel, nccl_link_class(bench, devices), 0,
          [&bench, devices](std::size_t bytes) { return nccl_work(bench, devices, bytes); }};
}

}  // namespace

std::vector<Task> interference_tasks(const GpuBench& bench) {
  std::vector<Task> tasks;
  const GpuBenchmarkOptions& options = bench.options;
  if (options.rates_bytes_per_s.empty()) return tasks;
  const double rate = options.rates_bytes_per_s.front();
  const int usual_blocks = cuda::PacedCopyOptions().blocks;
  const std::int64_t small = std::clamp<std::int64_t>(4096, options.least_tokens, options.most_tokens);
  const std::int64_t large = std::min(2 * small, options.most_tokens);
  // At 450 GB/s 64 MiB take 150 µs, a forward kernel of 4,096² tokens and 32 heads about 400: the hop is a good part of its
  // kernel and ends before it.
  const std::size_t bytes = std::max<std::size_t>(std::size_t{256} << 10U, options.most_bytes / 4);

  const TransferChoice by_blocks = paced(rate, TransferEngine::sm_kernel, usual_blocks);
  const TransferChoice by_engine = paced(rate, TransferEngine::copy_engine, usual_blocks);
  std::vector<Pass> passes{Pass::forward};
  if (bench.kernels.attention->has_backward()) passes.push_back(Pass::backward);
  for (const Pass pass : passes) {
    const KernelChoice kernel = attention(bench, pass, small);
    const KernelChoice larger = attention(bench, pass, large);
    for (const TransferChoice& transfer : {by_blocks, by_engine}) {
      for (const bool kernel_first : {false, true}) {
        tasks.push_back(interference_task(bench, kernel, transfer, bytes, kernel_first, false));
        if (large > small) tasks.push_back(interference_task(bench, larger, transfer, bytes, kernel_first, true));
      }
      tasks.push_back(interference_task(bench, kernel, transfer, bytes / 4, false, false));
      if (large == small) continue;
      tasks.push_back(interference_task(bench, larger, transfer, 2 * bytes, false, false));
      tasks.push_back(interference_task(bench, larger, transfer, 4 * bytes, false, true));
    }
    for (const int blocks : {2, 4, 16, 32}) {
      const TransferChoice transfer = paced(rate, TransferEngine::sm_kernel, blocks);
      tasks.push_back(interference_task(bench, kernel, transfer, bytes, false, blocks > 4));
    }
    if (bench.kernels.nccl) {
      for (const bool kernel_first : {false, true}) {
        tasks.push_back(interference_task(bench, kernel, nccl(bench), bytes, kernel_first, false));
      }
    }
  }
  // A merge of 32,768 tokens of 32 heads moves 1.3 GB: it outlasts the hop.
  for (const TransferChoice& transfer : {by_blocks, by_engine}) {
    for (const std::int64_t tokens : {options.most_tokens / 2, options.most_tokens}) {
      tasks.push_back(interference_task(bench, merging(bench, tokens), transfer, bytes / 4, false, false));
    }
  }
  return tasks;
}

}  // namespace ringsim::calibrate
