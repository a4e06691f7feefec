#pragma once
// Hops between GPUs of this process by their copy engines: no SM moves a byte.

#include "kernels/cuda/executor/hop_port.hpp"
#include "kernels/cuda/resources.hpp"

#include <string>
#include <vector>

namespace ringsim::cuda {

/// All ranks of a ring, a device each, in order. A hop starts when both of its ranks have reached it, and a rank goes on when what it sends has
/// arrived, as with NCCL.
class PeerPort : public HopPort {
 public:
  /// Throws Error where two devices of the ring that follow each other cannot reach each other's memory.
  explicit PeerPort(std::vector<int> devices);
  [[nodiscard]] std::string description() const override { return "copies between GPUs by their copy engines"; }
  void enqueue(const std::vector<Hop>& hops) override;

 private:
  std::vector<int> devices_;
  std::vector<Event> ready_;    // of each rank: it has reached the hop
  std::vector<Event> arrived_;  // at each rank
};

}  // namespace ringsim::cuda
