#pragma once
// How the hops of the ranks that a process plays leave and arrive.

#include "kernels/cuda/executor/rank.hpp"
#include "kernels/cuda/paced_copy.hpp"

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <vector>

namespace ringsim::cuda {

/// The hop of one rank: what it sends to the next one and what it receives from the one before, message by message.
struct Hop {
  int device = 0;
  std::vector<Message> outgoing;
  std::vector<Message> incoming;
  cudaStream_t stream = nullptr;
};

class HopPort {
 public:
  virtual ~HopPort() = default;
  /// For people: "paced copies of 450 GB/s by 8 SMs", "NCCL 2.28.9 send/recv".
  [[nodiscard]] virtual std::string description() const = 0;
  /// Enqueues the hops of all ranks that the process plays, in order of the ranks: they are one operation.
  virtual void enqueue(const std::vector<Hop>& hops) = 0;
};

/// One GPU plays one rank: what the rank sends takes the place of what it would receive, by copies at the rate of a link
/// (paced_copy.hpp). Numbers that arrive are those of another block; times are as if its neighbours were as far as it is.
class PacedPort : public HopPort {
 public:
  explicit PacedPort(PacedCopyOptions options) : copy_(options) {}
  [[nodiscard]] std::string description() const override;
  void enqueue(const std::vector<Hop>& hops) override;

 private:
  PacedCopy copy_;
};

}  // namespace ringsim::cuda
