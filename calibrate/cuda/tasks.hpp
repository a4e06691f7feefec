#pragma once
// The benchmarks of a GPU, by what they measure. Of the files in this folder alone.

#include "calibrate/cuda/benchmarks.hpp"
#include "calibrate/cuda/operands.hpp"
#include "calibrate/cuda/sampler.hpp"
#include "calibrate/size_name.hpp"

#include <functional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// What all of them share; outlives the tasks.
struct GpuBench {
  GpuSampler& sampler;
  const cuda::Devices& found;
  const GpuKernels& kernels;
  const GpuBenchmarkOptions& options;

  [[nodiscard]] const cuda::DeviceInfo& device() const { return found.devices.front(); }
  [[nodiscard]] HeadShape heads() const {
    return {1, options.query_heads, options.kv_heads, options.head_dim, options.head_dim};
  }
};

/// A block of queries against one of keys, as a ring has them.
struct BlockCase {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  bool causal = false;
  [[nodiscard]] AttendShape shape() const;
  [[nodiscard]] std::string name() const;  // "4096x2048", "4096x4096 causal"
};

/// A kernel and its operands, ready to be enqueued; they live as long as the function does.
struct AttentionWork {
  Work run;
  AttentionPoint point;
};
[[nodiscard]] AttentionWork attention_work(const GpuBench& bench,
                                           const std::shared_ptr<cuda::AttentionKernels>& kernels, Pass pass,
                                           const BlockCase& what);

/// A transfer of so many bytes and its buffers, likewise.
struct TransferWork {
  Work run;
  TransferEngine engine = TransferEngine::sm_kernel;
  std::string link_class;
  std::int64_t blocks = 0;
};
[[nodiscard]] TransferWork paced_work(double bytes_per_s, TransferEngine engine, int blocks, int cluster,
                                      std::size_t bytes);
[[nodiscard]] TransferWork nccl_work(const GpuBench& bench, const std::vector<int>& devices, std::size_t bytes);
/// Class of the links that NCCL used: its own where it sends to itself.
[[nodiscard]] std::string nccl_link_class(const GpuBench& bench, const std::vector<int>& devices);

/// The first of them is the one that is timed again at the end.
[[nodiscard]] std::vector<Task> attention_tasks(const GpuBench& bench);
[[nodiscard]] std::vector<Task> dense_tasks(const GpuBench& bench);     // gemm, merge, stream
[[nodiscard]] std::vector<Task> overhead_tasks(const GpuBench& bench);  // launch, events, graphs, the host
[[nodiscard]] std::vector<Task> transfer_tasks(const GpuBench& bench);
[[nodiscard]] std::vector<Task> interference_tasks(const GpuBench& bench);

}  // namespace ringsim::calibrate
