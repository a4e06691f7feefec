#include "kernels/cuda/merging_kernel.hpp"

#include "kernels/cuda/hopper/attention.hpp"

namespace ringsim::cuda {
namespace {

class MergingHopperKernel : public MergingKernel {
 public:
  void prepare_merging(const ForwardCall& call) override { check_hopper_call(call, {}); }
  void forward_merging(const ForwardCall& call, OutputAccumulator into, cudaStream_t stream) override {
    hopper_forward_merging(call, into, {}, stream);
  }
};

}  // namespace

std::unique_ptr<MergingKernel> merging_hopper_kernel() { return std::make_unique<MergingHopperKernel>(); }

}  // namespace ringsim::cuda
