// The worker for GPUs on the emulated runtime: what needs a library of NVIDIA's says that it is not there, in the way in which a machine without
// the library does.

#include "calibrate/cuda/this_gpu.hpp"
#include "kernels/cuda/activity.hpp"
#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/dynamic/library.hpp"
#include "kernels/cuda/dynamic/versions.hpp"
#include "kernels/cuda/executor/nccl_port.hpp"

namespace ringsim::cuda {
namespace {

[[noreturn]] void refuse(const char* library) {
  throw MissingLibrary(std::string(library) + " is not there", {}, "this GPU is emulated: --kernels reference or sm90");
}

}  // namespace

// A ring whose constructor has thrown is never used.
struct NcclRing::State {};
NcclRing::NcclRing(const std::vector<int>&, NcclOptions) { refuse("NCCL"); }
NcclRing::NcclRing(const NcclId&, int, int, NcclOptions) { refuse("NCCL"); }
NcclRing::~NcclRing() = default;
NcclRing::NcclRing(NcclRing&&) noexcept = default;
NcclId NcclRing::new_id() { refuse("NCCL"); }
int NcclRing::ranks() const { return 0; }
void NcclRing::send_receive(std::span<const NcclHop>, int) { refuse("NCCL"); }

std::unique_ptr<AttentionKernels> cudnn_kernels() { refuse("cuDNN"); }

ActivityTrace::ActivityTrace() { refuse("CUPTI"); }
ActivityTrace::~ActivityTrace() = default;
std::vector<ActivityRecord> ActivityTrace::stop() { return {}; }

std::vector<LibraryVersion> versions() { return {{"emulated CUDA runtime", "13.0", "in this program"}}; }

}  // namespace ringsim::cuda

namespace ringsim::calibrate {

// Its benchmarks have tests of their own (calibrate_test.cpp): at full size they would take the emulation hours.
GpuKernels kernels_of(const cuda::Devices&) { throw cuda::MissingLibrary("an emulated GPU is not calibrated"); }

}  // namespace ringsim::calibrate
