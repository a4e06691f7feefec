#pragma once
// A hop of a ring, played by one GPU: a copy in its own memory at the rate of a link. It reads and writes as much memory as
// sending and receiving a block at once does. What it cannot show is the link: latency, protocol, contention in the network.

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>

namespace ringsim::cuda {

/// What copies.
enum class CopyEngine {
  sm_kernel,    // thread blocks, as NCCL's kernels: 640 threads each
  copy_engine,  // cudaMemcpyBatchAsync with the hint to overlap with computation, in chunks, a one-thread kernel between them that waits
};

struct PacedCopyOptions {
  CopyEngine engine = CopyEngine::sm_kernel;
  double bytes_per_s = 0;  // of the link, one way; 0: as fast as it goes
  int blocks = 8;          // of sm_kernel: SMs that it takes at most
  int cluster = 1;  // of sm_kernel: thread blocks that are scheduled as a whole; 1, 2, 4 or 8, a divisor of `blocks`
  std::size_t chunk_bytes =
      1 << 20;  // between two looks at the clock, at least; of a copy engine never less than 20 µs of the link
};

/// Copies at a rate. Keeps the state that the pacing needs on the current device; copies of one object are of one stream.
class PacedCopy {
 public:
  explicit PacedCopy(PacedCopyOptions options);
  ~PacedCopy();
  PacedCopy(PacedCopy&&) noexcept;
  PacedCopy& operator=(PacedCopy&&) noexcept;
  PacedCopy(const PacedCopy&) = delete;
  PacedCopy& operator=(const PacedCopy&) = delete;
  /// Enqueues: `bytes` (a multiple of 16, as the addresses) from `from` to `to`, which do not overlap. Takes at least
  /// bytes / bytes_per_s from the moment that it begins on the device. May be captured in a graph.
  void run(void* to, const void* from, std::size_t bytes, cudaStream_t stream);
  [[nodiscard]] const PacedCopyOptions& options() const { return options_; }

 private:
  struct State;
  PacedCopyOptions options_;
  std::unique_ptr<State> state_;
};

}  // namespace ringsim::cuda
