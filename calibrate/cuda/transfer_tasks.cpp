// Hops, as far as a machine has them: copies within one GPU that are held to the rate of a link, and NCCL.
#include "calibrate/cuda/tasks.hpp"
#include "calibrate/paced_links.hpp"
#include "kernels/cuda/paced_copy.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace ringsim::calibrate {
namespace {

// As kernels/cuda/paced_copy.hpp has them unless told otherwise; the numbers that a ring is played with.
const cuda::PacedCopyOptions usual;

std::string engine_name(TransferEngine engine, int blocks, int cluster) {
  return engine == TransferEngine::copy_engine
             ? std::string("copy engine")
             : fmt::format("{} block{}{}", blocks, blocks == 1 ? "" : "s",
                           cluster > 1 ? fmt::format(" in clusters of {}", cluster) : "");
}

std::string rate_name(double bytes_per_s) {
  return bytes_per_s > 0 ? fmt::format(" at {:g} GB/s", bytes_per_s / 1e9) : " as fast as it goes";
}

Task hop_task(const GpuBench& bench, double bytes_per_s, TransferEngine engine, std::size_t bytes) {
  TransferPoint point;
  point.link_class = paced_link_class(bytes_per_s, engine);
  point.bytes = static_cast<double>(bytes);
  point.ranks = 1;
  point.source = fmt::format("hop of {} by {}{}", size_name(bytes), engine_name(engine, usual.blocks, usual.cluster),
                             rate_name(bytes_per_s));
  return {point.source, 0.5, [&bench, point, bytes_per_s, engine, bytes](const SamplingRule& rule) {
            const TransferWork work = paced_work(bytes_per_s, engine, usual.blocks, usual.cluster, bytes);
            return outcome_of(point, bench.sampler.transfer_alone(rule, work.run));
          }};
}

Task copy_task(const GpuBench& bench, double bytes_per_s, TransferEngine engine, int blocks, int cluster,
               std::size_t bytes) {
  CopyPoint point;
  point.engine = engine;
  point.blocks = engine == TransferEngine::sm_kernel ? blocks : 0;
  point.cluster = cluster;
  point.rate_bytes_per_s = bytes_per_s;
  point.bytes = static_cast<double>(bytes);
  point.source =
      fmt::format("copy of {} by {}{}", size_name(bytes), engine_name(engine, blocks, cluster), rate_name(bytes_per_s));
  return {point.source, 0.3,
          [&bench, point, blocks, bytes](const SamplingRule& rule) {
            const TransferWork work =
                paced_work(point.rate_bytes_per_s, point.engine, blocks, static_cast<int>(point.cluster), bytes);
            return outcome_of(point, bench.sampler.transfer_alone(rule, work.run));
          },
          true};
}

Task nccl_task(const GpuBench& bench, const std::vector<int>& devices, std::size_t bytes) {
  TransferPoint point;
  point.link_class = nccl_link_class(bench, devices);
  point.bytes = static_cast<double>(bytes);
  point.ranks = static_cast<std::int64_t>(devices.size());
  point.source = devices.size() == 1 ? fmt::format("NCCL send of {} to itself", size_name(bytes))
                                     : fmt::format("NCCL hop of {}, ring of {} GPUs", size_name(bytes), devices.size());
  return {point.source, 0.5, [&bench, point, devices, bytes](const SamplingRule& rule) {
            const TransferWork work = nccl_work(bench, devices, bytes);
            return outcome_of(point, bench.sampler.transfer_alone(rule, work.run));
          }};
}

// {1}, or {first 2}, {first 4}, ..., {all}.
std::vector<std::vector<int>> rings(const GpuBench& bench) {
  std::vector<int> all;
  for (const cuda::DeviceInfo& device : bench.found.devices) all.push_back(device.id);
  if (all.size() == 1) return {all};
  std::vector<std::vector<int>> rings;
  for (std::size_t count = 2; count < all.size(); count *= 2) {
    rings.emplace_back(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count));
  }
  rings.push_back(all);
  return rings;
}

}  // namespace

TransferWork paced_work(double bytes_per_s, TransferEngine engine, int blocks, int cluster, std::size_t bytes) {
  struct Held {
    cuda::PacedCopy copy;
    cuda::Memory<cuda::Bf16> from, to;
  };
  cuda::PacedCopyOptions options = usual;
  options.engine = engine == TransferEngine::copy_engine ? cuda::CopyEngine::copy_engine : cuda::CopyEngine::sm_kernel;
  options.bytes_per_s = bytes_per_s;
  options.blocks = blocks;
  options.cluster = cluster;
  const std::size_t numbers = bytes / sizeof(cuda::Bf16);
  const auto held =
      std::make_shared<Held>(Held{cuda::PacedCopy(options), random_numbers(numbers, 5), poisoned<cuda::Bf16>(numbers)});
  TransferWork work;
  work.run = [held, bytes](cudaStream_t stream) { held->copy.run(held->to.data(), held->from.data(), bytes, stream); };
  work.engine = engine;
  work.link_class = bytes_per_s > 0 ? paced_link_class(bytes_per_s, engine) : "local-copy";
  work.blocks = engine == TransferEngine::sm_kernel ? blocks : 0;
  return work;
}

std::string nccl_link_class(const GpuBench& bench, const std::vector<int>& devices) {
  return devices.size() == 1 ? std::string(nccl_to_itself) : bench.options.link_class;
}

TransferWork nccl_work(const GpuBench& bench, const std::vector<int>& devices, std::size_t bytes) {
  struct Held {
    std::unique_ptr<Transfer> transfer;
    cuda::Memory<cuda::Bf16> from, to;
  };
  const std::size_t numbers = bytes / sizeof(cuda::Bf16);
  const auto held = std::make_shared<Held>(
      Held{bench.kernels.nccl(devices, bytes), random_numbers(numbers, 6), poisoned<cuda::Bf16>(numbers)});
  TransferWork work;
  work.run = [held, bytes](cudaStream_t stream) {
    held->transfer->run(held->to.data(), held->from.data(), bytes, stream);
  };
  work.link_class = nccl_link_class(bench, devices);
  return work;
}

std::vector<Task> transfer_tasks(const GpuBench& bench) {
  std::vector<Task> tasks;
  const GpuBenchmarkOptions& options = bench.options;
  const std::size_t least = std::min(options.most_bytes, std::size_t{256} << 10U);
  for (const TransferEngine engine : {TransferEngine::sm_kernel, TransferEngine::copy_engine}) {
    for (const double rate : options.rates_bytes_per_s) {
      for (std::size_t bytes = least; bytes <= options.most_bytes; bytes *= 4) {
        tasks.push_back(hop_task(bench, rate, engine, bytes));
      }
    }
  }
  // How many blocks does a rate need, and do clusters change anything?
  const std::size_t middle = std::max(least, options.most_bytes / 4);
  for (const int blocks : {1, 2, 4, 8, 16, 32}) {
    for (const int cluster : {1, 4}) {
      if (blocks % cluster != 0 || blocks > bench.device().sms) continue;
      tasks.push_back(copy_task(bench, 0, TransferEngine::sm_kernel, blocks, cluster, middle));
      if (options.rates_bytes_per_s.empty()) continue;
      const double rate = options.rates_bytes_per_s.front();
      tasks.push_back(copy_task(bench, rate, TransferEngine::sm_kernel, blocks, cluster, middle));
    }
  }
  for (std::size_t bytes = least; bytes <= options.most_bytes; bytes *= 4) {
    tasks.push_back(copy_task(bench, 0, TransferEngine::copy_engine, 0, 1, bytes));
  }
  if (bench.kernels.nccl) {
    for (const std::vector<int>& devices : rings(bench)) {
      for (std::size_t bytes = least; bytes <= options.most_bytes; bytes *= 4) {
        tasks.push_back(nccl_task(bench, devices, bytes));
      }
    }
  }
  return tasks;
}

}  // namespace ringsim::calibrate
