#pragma once
// Hops by NCCL, between the GPUs of this process or of several.

#include "kernels/cuda/executor/hop_port.hpp"
#include "kernels/cuda/executor/processes.hpp"
#include "kernels/cuda/nccl_ring.hpp"

#include <string>
#include <vector>

namespace ringsim::cuda {

class NcclPort : public HopPort {
 public:
  /// `devices` of this process's ranks: all of the ring in one process, or one in each of several, whose number is then the rank's.
  /// Collective. `channels`: thread blocks that a hop takes at most. Throws MissingLibrary where there is no NCCL.
  NcclPort(const std::vector<int>& devices, Processes& processes, int channels);
  [[nodiscard]] std::string description() const override;
  void enqueue(const std::vector<Hop>& hops) override;

 private:
  NcclRing ring_;
  int first_rank_;
  int channels_;
};

}  // namespace ringsim::cuda
