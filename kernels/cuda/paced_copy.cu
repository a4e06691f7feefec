// A copy that takes the time of a link.
//
// By thread blocks: every block copies its share of a chunk, then waits until (bytes of all chunks so far) / rate after its own
// beginning. By the copy engine: a stamp kernel stores the beginning, and between two chunks a kernel of one thread waits until
// the same time after it. Both compare with the beginning of the whole copy, so that errors do not add up.

#include "kernels/cuda/copy_words.cuh"
#include "kernels/cuda/launch.hpp"
#include "kernels/cuda/paced_copy.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"

#include <ringsim_timer.cuh>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

namespace ringsim::cuda {
namespace {

constexpr int threads = 640;  // of a block of NCCL's
constexpr int at_once = 4;    // 16-byte words that a thread has under way
constexpr std::size_t word_bytes = 16;

// A pause that is longer than what is left would overshoot; pauses may last twice as long as asked for.
__device__ __forceinline__ void wait_until(std::uint64_t time_ns) {
  for (std::uint64_t now = global_time_ns(); now < time_ns; now = global_time_ns()) {
    const std::uint64_t left = time_ns - now;
    if (left > 200) pause_ns(static_cast<unsigned>(left < 2000 ? left / 2 : 1000));
  }
}

__device__ __forceinline__ std::uint64_t end_of(std::uint64_t begin_ns, std::size_t words, double ns_per_word) {
  // Upwards: at least the link's time.
  return begin_ns + static_cast<std::uint64_t>(ceil(static_cast<double>(words) * ns_per_word));
}

__device__ __forceinline__ void copy_share(uint4* __restrict__ to, const uint4* __restrict__ from, std::size_t words) {
  for (std::size_t first = threadIdx.x; first < words; first += std::size_t{threads} * at_once) {
    copy_words<threads, at_once>(to, from, first, words);
  }
}

/// ns_per_word: of the link, for all blocks together; 0: no waiting.
__global__ void __launch_bounds__(threads)
    copy_kernel(uint4* to, const uint4* from, std::size_t words, std::size_t chunk_words, double ns_per_word) {
  const std::uint64_t begin_ns = threadIdx.x == 0 ? global_time_ns() : 0;  // one thread keeps the time of its block
  for (std::size_t chunk = 0; chunk < words; chunk += chunk_words) {
    const std::size_t size = words - chunk < chunk_words ? words - chunk : chunk_words;
    const std::size_t first = chunk + size * blockIdx.x / gridDim.x;
    const std::size_t last = chunk + size * (blockIdx.x + 1) / gridDim.x;
    copy_share(to + first, from + first, last - first);
    if (ns_per_word == 0) continue;
    __syncthreads();
    if (threadIdx.x == 0) wait_until(end_of(begin_ns, chunk + size, ns_per_word));
    __syncthreads();
  }
}

__global__ void stamp_kernel(std::uint64_t* begin_ns) { *begin_ns = global_time_ns(); }

__global__ void wait_kernel(const std::uint64_t* begin_ns, std::size_t words, double ns_per_word) {
  wait_until(end_of(*begin_ns, words, ns_per_word));
}

bool is_capturing(cudaStream_t stream) {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(stream, &status), "cudaStreamIsCapturing");
  return status != cudaStreamCaptureStatusNone;
}

// The hint to leave the SMs alone belongs to the batch call, which neither the default stream nor a capture takes: there the
// plain copy, whose engine is the driver's choice.
void copy_by_engine(void* to, const void* from, std::size_t bytes, bool plain, cudaStream_t stream) {
  if (plain) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "cudaMemcpyAsync");
    return;
  }
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes.flags = cudaMemcpyFlagPreferOverlapWithCompute;
  std::size_t first = 0;
  check(cudaMemcpyBatchAsync(&to, &from, &bytes, 1, &attributes, &first, 1, stream), "cudaMemcpyBatchAsync");
}

// A copy and the kernel that waits behind it take some microseconds to start, in which nothing moves: a chunk lasts longer than that.
constexpr double least_engine_chunk_s = 20e-6;
std::size_t engine_chunk(const PacedCopyOptions& options) {
  const auto least = static_cast<std::size_t>(options.bytes_per_s * least_engine_chunk_s) / word_bytes * word_bytes;
  return std::max(options.chunk_bytes, least);
}

void check_options(const PacedCopyOptions& options) {
  if (!(options.bytes_per_s >= 0)) throw Error("a paced copy at a negative rate");
  if (options.chunk_bytes == 0 || options.chunk_bytes % word_bytes != 0) {
    throw Error("chunks of " + std::to_string(options.chunk_bytes) + " bytes", {}, "a multiple of 16");
  }
  if (options.engine == CopyEngine::copy_engine) return;
  const bool known = options.cluster == 1 || options.cluster == 2 || options.cluster == 4 || options.cluster == 8;
  if (options.blocks < 1 || !known || options.blocks % options.cluster != 0) {
    throw Error(std::to_string(options.blocks) + " thread blocks in clusters of " + std::to_string(options.cluster), {},
                "clusters of 1, 2, 4 or 8, and a multiple of that many blocks");
  }
}

}  // namespace

struct PacedCopy::State {
  Memory<std::uint64_t> begin_ns{1};
};

PacedCopy::PacedCopy(PacedCopyOptions options) : options_(options) {
  check_options(options_);
  const bool waits = options_.engine == CopyEngine::copy_engine && options_.bytes_per_s > 0;
  if (waits) state_ = std::make_unique<State>();
}
PacedCopy::~PacedCopy() = default;
PacedCopy::PacedCopy(PacedCopy&&) noexcept = default;
PacedCopy& PacedCopy::operator=(PacedCopy&&) noexcept = default;

void PacedCopy::run(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  const auto aligned = [](const void* data) { return reinterpret_cast<std::uintptr_t>(data) % word_bytes == 0; };
  if (bytes % word_bytes != 0 || !aligned(to) || !aligned(from)) {
    throw Error("a paced copy of " + std::to_string(bytes) + " bytes", {},
                "bytes and addresses that are multiples of 16");
  }
  if (bytes == 0) return;
  const double ns_per_word = options_.bytes_per_s > 0 ? 1e9 * word_bytes / options_.bytes_per_s : 0;
  if (options_.engine == CopyEngine::sm_kernel) {
    const LaunchShape shape{dim3(static_cast<unsigned>(options_.blocks)), dim3(threads), 0,
                            static_cast<unsigned>(options_.cluster)};
    launch("paced copy", copy_kernel, shape, stream, static_cast<uint4*>(to), static_cast<const uint4*>(from),
           bytes / word_bytes, options_.chunk_bytes / word_bytes, ns_per_word);
    return;
  }
  const bool plain = stream == nullptr || is_capturing(stream);
  if (state_ == nullptr) {
    copy_by_engine(to, from, bytes, plain, stream);
    return;
  }
  launch("stamp", stamp_kernel, {}, stream, state_->begin_ns.data());
  const std::size_t chunk_bytes = engine_chunk(options_);
  for (std::size_t chunk = 0; chunk < bytes; chunk += chunk_bytes) {
    const std::size_t size = std::min(chunk_bytes, bytes - chunk);
    copy_by_engine(static_cast<std::byte*>(to) + chunk, static_cast<const std::byte*>(from) + chunk, size, plain,
                   stream);
    launch("wait between chunks", wait_kernel, {}, stream, state_->begin_ns.data(), (chunk + size) / word_bytes,
           ns_per_word);
  }
}

}  // namespace ringsim::cuda
