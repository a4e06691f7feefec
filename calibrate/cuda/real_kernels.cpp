#include "calibrate/cuda/real_kernels.hpp"

#include "kernels/cuda/dynamic/library.hpp"
#include "kernels/cuda/dynamic/versions.hpp"
#include "kernels/cuda/gemm.hpp"
#include "kernels/cuda/hopper/attention.hpp"
#include "kernels/cuda/nccl_ring.hpp"
#include "kernels/cuda/resources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace ringsim::calibrate {
namespace {

// A hop of every rank of a ring: the first rank's memory and stream are the benchmark's, the others have their own.
class NcclTransfer : public Transfer {
 public:
  NcclTransfer(const std::vector<int>& devices, std::size_t max_bytes) : devices_(devices), ring_(devices) {
    for (std::size_t rank = 1; rank < devices.size(); ++rank) {
      cuda::check(cudaSetDevice(devices[rank]), "cudaSetDevice");
      others_.push_back({cuda::Memory<std::byte>(max_bytes), cuda::Memory<std::byte>(max_bytes),
                         cuda::Stream(cuda::Stream::Priority::high)});
    }
    cuda::check(cudaSetDevice(devices.front()), "cudaSetDevice");
  }

  void run(void* to, const void* from, std::size_t bytes, cudaStream_t stream) override {
    std::vector<cuda::NcclHop> hops{{0, from, bytes, to, bytes, stream}};
    for (std::size_t i = 0; i < others_.size(); ++i) {
      const Other& other = others_[i];
      hops.push_back(
          {static_cast<int>(i) + 1, other.outgoing.data(), bytes, other.incoming.data(), bytes, other.stream.get()});
    }
    ring_.send_receive(hops);
  }

 private:
  struct Other {
    cuda::Memory<std::byte> outgoing, incoming;
    cuda::Stream stream;
  };
  std::vector<int> devices_;
  cuda::NcclRing ring_;
  std::vector<Other> others_;
};

}  // namespace

GpuKernels real_kernels(const cuda::Devices& found) {
  GpuKernels kernels;
  const cuda::DeviceInfo& device = found.devices.front();
  cuda::check(cudaSetDevice(device.id), "cudaSetDevice");
  try {
    kernels.attention = cuda::cudnn_kernels();
  } catch (const cuda::MissingLibrary& error) {
    kernels.attention = cuda::reference_kernels();
    kernels.missing.push_back(error.message() +
                              ": attention is computed by plain kernels, whose times no one should plan with");
  }
  if (device.is_hopper()) {
    kernels.own = [](int sms) { return cuda::hopper_kernels(sms); };
    kernels.own_merging = [](const cuda::ForwardCall& call) -> MergingForward {
      cuda::check_hopper_call(call, {});
      return [](const cuda::ForwardCall& what, cuda::OutputAccumulator into, cudaStream_t stream) {
        cuda::hopper_forward_merging(what, into, {}, stream);
      };
    };
  } else {
    kernels.missing.push_back(fmt::format("our own attention kernel is for compute capability 9.0, and {} has {}.{}",
                                          device.name, device.major, device.minor));
  }
  const auto versions = cuda::versions();
  const auto lacks = [&](const std::string& library) {
    const auto known =
        std::find_if(versions.begin(), versions.end(), [&](const auto& v) { return v.library == library; });
    if (known != versions.end() && known->found()) return false;
    kernels.missing.push_back(library + " is not there: " + (known == versions.end() ? "" : known->path));
    return true;
  };
  if (!lacks("cuBLAS")) {
    kernels.product = [](std::int64_t m, std::int64_t n, std::int64_t k) -> MatrixProduct {
      const auto gemm = std::make_shared<cuda::Gemm>(m, n, k);
      return [gemm](const cuda::Bf16* a, const cuda::Bf16* b, cuda::Bf16* c, cudaStream_t stream) {
        gemm->run(a, b, c, stream);
      };
    };
  }
  if (!lacks("NCCL")) {
    kernels.nccl = [](const std::vector<int>& devices, std::size_t max_bytes) -> std::unique_ptr<Transfer> {
      return std::make_unique<NcclTransfer>(devices, max_bytes);
    };
  }
  return kernels;
}

}  // namespace ringsim::calibrate
