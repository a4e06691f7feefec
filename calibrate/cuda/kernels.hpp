#pragma once
// What is benchmarked on a GPU, as the benchmarks see it: interfaces that the machine's libraries and kernels stand behind, and
// that tests put others behind. What is missing is a null pointer or an empty function with the reason why.

#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/merge.hpp"
#include "models/numeric.hpp"

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// Moves bytes as a hop does.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Enqueues: `bytes` (a multiple of 16) from `from` to `to`. Between GPUs, on each of them: then `to`, `from` and the stream
  /// are those of the first, and the others' are the transfer's own.
  virtual void run(void* to, const void* from, std::size_t bytes, cudaStream_t stream) = 0;
};

/// A stream whose kernels run on some of the device's SMs alone.
class SomeSms {
 public:
  virtual ~SomeSms() = default;
  [[nodiscard]] virtual int sms() const = 0;
  [[nodiscard]] virtual cudaStream_t stream() const = 0;
};

/// C (m × n) = A (m × k) · B (k × n) in bf16.
using MatrixProduct = std::function<void(const cuda::Bf16* a, const cuda::Bf16* b, cuda::Bf16* c, cudaStream_t stream)>;

/// An attention kernel that folds its output into the accumulator.
using MergingForward = std::function<void(const cuda::ForwardCall&, cuda::OutputAccumulator, cudaStream_t)>;

struct GpuKernels {
  std::shared_ptr<cuda::AttentionKernels> attention;  // that the profile will be for; never null
  /// Our own, on so many SMs (0: all); may be empty.
  std::function<std::unique_ptr<cuda::AttentionKernels>(int sms)> own;
  /// For kernels that cannot be told how many SMs to use; at least so many. May be empty.
  std::function<std::shared_ptr<SomeSms>(int sms)> some_sms;
  /// Our own with the merging epilogue, for such calls; may be empty.
  std::function<MergingForward(const cuda::ForwardCall&)> own_merging;
  std::function<MatrixProduct(std::int64_t m, std::int64_t n, std::int64_t k)> product;  // may be empty
  /// NCCL, to itself on one GPU, round the ring on several; `max_bytes` of the largest hop. May be empty.
  std::function<std::unique_ptr<Transfer>(const std::vector<int>& devices, std::size_t max_bytes)> nccl;
  std::function<std::string()> state;  // clocks, power and temperature in words; may be empty
  std::string software;                // versions of libraries: "cuDNN 9.19.0, NCCL 2.28.9"
  std::vector<std::string> missing;    // why something of the above is: a sentence each
};

}  // namespace ringsim::calibrate
