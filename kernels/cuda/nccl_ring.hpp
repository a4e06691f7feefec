#pragma once
// Hops of a ring by NCCL: every rank sends to the one after it and receives from the one before it, all at once.

#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ringsim::cuda {

/// What ranks in several processes have in common: one of them makes it, and it travels as bytes.
struct NcclId {
  std::array<char, 128> bytes{};
};

struct NcclOptions {
  int max_ctas = 0;  // thread blocks that a communicator's kernels take at most; 0: NCCL's choice
  int cluster = -1;  // thread blocks that are scheduled as a whole, 0 to 8; -1: NCCL's choice
};

/// A rank's part of a hop. Addresses are on the rank's device; the two blocks do not overlap.
struct NcclHop {
  int rank = 0;
  const void* send = nullptr;
  std::size_t send_bytes = 0;
  void* receive = nullptr;
  std::size_t receive_bytes = 0;
  cudaStream_t stream = nullptr;
};

struct NcclLibrary;

/// The ranks of this process. All functions are called by one thread and throw Error with NCCL's message, constructors
/// MissingLibrary where there is no NCCL.
class NcclRing {
 public:
  /// All ranks in this process, rank i on devices[i]. A ring of one rank sends to itself, which runs NCCL's kernel,
  /// too.
  explicit NcclRing(const std::vector<int>& devices, NcclOptions options = {});
  /// One rank of several processes, on the current device. Returns when all ranks have come.
  NcclRing(const NcclId& id, int ranks, int rank, NcclOptions options = {});
  /// As above with a library that is given and outlives the ring: for tests without a device.
  NcclRing(const NcclId& id, int ranks, int rank, NcclOptions options, const NcclLibrary& library);
  ~NcclRing();
  NcclRing(NcclRing&&) noexcept;
  NcclRing& operator=(NcclRing&&) noexcept;
  NcclRing(const NcclRing&) = delete;
  NcclRing& operator=(const NcclRing&) = delete;

  [[nodiscard]] static NcclId new_id();

  [[nodiscard]] int ranks() const;
  /// Enqueues the hops of this process's ranks as one operation: rank r sends to r + shift and receives from r −
  /// shift, modulo the number of ranks. What a rank receives is as long as what the other sends.
  void send_receive(std::span<const NcclHop> hops, int shift = 1);
  /// Throws Error where an operation has failed since it was enqueued.
  void check_asynchronous() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace ringsim::cuda
