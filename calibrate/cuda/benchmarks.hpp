#pragma once
// Microbenchmarks of a GPU: what a Profile of it is fitted to. One GPU, in under three minutes.
//
//   attention          the shapes of a zigzag ring, (s, s) causal, (s, s/2) and (s/2, s), and the full (s, s); s = 512 ... 32,768;
//                      forward and backward
//   attention-variant  our own kernel on the same shapes; on fewer SMs; with the merging epilogue; some with warm caches
//   merge, gemm, stream, launch, overhead
//   transfer           copies held to the rate of a link, by thread blocks and by a copy engine, 256 KiB to 256 MiB; NCCL, to
//                      itself on one GPU and between GPUs where there are several
//   copy               the same by numbers of thread blocks and clusters; and not held to a rate
//   interference       attention and merges beside transfers, either of them ready first
//
// The first attention kernel is timed again at the end; a note says by how much the two differ.

#include "calibrate/cuda/kernels.hpp"
#include "calibrate/cuda/samples_until.hpp"
#include "calibrate/samples.hpp"
#include "calibrate/task.hpp"
#include "kernels/cuda/device.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct GpuBenchmarkOptions {
  std::int64_t query_heads = 32;
  std::int64_t kv_heads = 8;
  std::int64_t head_dim = 128;
  std::int64_t least_tokens = 512;                   // of a block; doubled up to
  std::int64_t most_tokens = 32768;                  // this
  std::size_t most_bytes = std::size_t{256} << 20U;  // of a transfer
  std::vector<double> rates_bytes_per_s{450e9, 370e9, 50e9, 25e9,
                                        12.5e9};  // of links that are played; the first is looked at in detail
  std::int64_t rows_of_products = 8192;           // the most of a matrix product
  double budget_s = 150;                          // of all; what may be left out is left out then
  SamplingRule rule = gpu_sampling_rule();
  std::string link_class = "nvlink4";  // of NCCL between the GPUs, where there are several
  std::string commit;                  // of ringsim, for the provenance
  HostClock clock = steady_clock();
  std::size_t flush_bytes = 0;  // written before a sample, so that caches are cold; 0: as the L2 cache needs it
};

/// On the first of `found.devices`, with NCCL on all of them. Throws Error where there is none, for options that make no sense,
/// where not even the first attention kernel can be timed. A single benchmark that fails is left out, with a note.
[[nodiscard]] Samples run_gpu_benchmarks(const cuda::Devices& found, const GpuKernels& kernels,
                                         const GpuBenchmarkOptions& options, const ProgressCallback& progress = {});

}  // namespace ringsim::calibrate
