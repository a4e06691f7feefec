#include "calibrate/cuda/this_gpu.hpp"

#include "kernels/cuda/device_state.hpp"
#include "kernels/cuda/dynamic/versions.hpp"
#include "kernels/cuda/gemm.hpp"
#include "kernels/cuda/green_context.hpp"
#include "kernels/cuda/hopper/attention.hpp"
#include "kernels/cuda/nccl_ring.hpp"
#include "kernels/cuda/resources.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <utility>

namespace ringsim::calibrate {
namespace {

// A hop of NCCL's ring. Of the ranks but the first this keeps the buffers and streams.
class NcclTransfer final : public Transfer {
 public:
  NcclTransfer(const std::vector<int>& devices, std::size_t max_bytes) : ring_(devices) {
    int current = 0;
    cuda::check(cudaGetDevice(&current), "cudaGetDevice");
    for (std::size_t rank = 1; rank < devices.size(); ++rank) {
      cuda::check(cudaSetDevice(devices[rank]), "cudaSetDevice");
      others_.push_back({cuda::Memory<std::byte>(max_bytes), cuda::Memory<std::byte>(max_bytes),
                         cuda::Stream(cuda::Stream::Priority::high)});
    }
    cuda::check(cudaSetDevice(current), "cudaSetDevice");
  }

  void run(void* to, const void* from, std::size_t bytes, cudaStream_t stream) override {
    std::vector<cuda::NcclHop> hops{{0, from, bytes, to, bytes, stream}};
    for (const Other& other : others_) {
      hops.push_back(
          {static_cast<int>(hops.size()), other.from.data(), bytes, other.to.data(), bytes, other.stream.get()});
    }
    ring_.send_receive(hops);
  }

 private:
  struct Other {
    cuda::Memory<std::byte> from, to;
    cuda::Stream stream;
  };
  cuda::NcclRing ring_;
  std::vector<Other> others_;
};

class OnGreenContext final : public SomeSms {
 public:
  OnGreenContext(int device, int sms) : context_(device, sms) {}
  [[nodiscard]] int sms() const override { return context_.sms(); }
  [[nodiscard]] cudaStream_t stream() const override { return context_.stream(); }

 private:
  cuda::GreenContext context_;
};

// "SM 1980 MHz, 412 W of 700 W, 54 C, slowed by power cap"
std::string state_of(const std::string& pci) {
  const cuda::DeviceState state = cuda::device_state(pci);
  if (!state.why_unknown.empty()) return state.why_unknown;
  std::string text;
  const auto say = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (state.sm_clock_hz) say(fmt::format("SM {:.0f} MHz", *state.sm_clock_hz / 1e6));
  if (state.memory_clock_hz) say(fmt::format("memory {:.0f} MHz", *state.memory_clock_hz / 1e6));
  if (state.power_w) say(fmt::format("{:.0f} W", *state.power_w));
  if (state.power_limit_w) say(fmt::format("limit {:.0f} W", *state.power_limit_w));
  if (state.temperature_c) say(fmt::format("{:.0f} C", *state.temperature_c));
  if (state.slowed_by) {
    std::string causes;
    for (const std::string& cause : *state.slowed_by) causes += (causes.empty() ? "" : " and ") + cause;
    say(causes.empty() ? "not slowed" : "slowed by " + causes);
  }
  return text;
}

bool has(const std::vector<cuda::LibraryVersion>& libraries, const std::string& name) {
  for (const cuda::LibraryVersion& library : libraries) {
    if (library.library == name) return library.found();
  }
  return false;
}

}  // namespace

GpuKernels kernels_of(const cuda::Devices& found) {
  const cuda::DeviceInfo& device = found.devices.front();
  GpuKernels kernels;
  const std::vector<cuda::LibraryVersion> libraries = cuda::versions();
  for (const cuda::LibraryVersion& library : libraries) {
    if (!library.found()) kernels.missing.push_back(fmt::format("{}: {}", library.library, library.path));
  }
  kernels.software = cuda::in_one_line(libraries);
  kernels.state = [pci = device.pci] { return state_of(pci); };
  try {
    kernels.attention = cuda::cudnn_kernels();
  } catch (const Error& error) {
    kernels.attention = device.is_hopper() ? cuda::hopper_kernels() : cuda::reference_kernels();
    kernels.missing.push_back(
        fmt::format("attention is timed with {}, as cuDNN can not be: {}", kernels.attention->name(), error.message()));
  }
  if (device.is_hopper()) {
    kernels.own = [](int sms) { return cuda::hopper_kernels(sms); };
    kernels.own_merging = [](const cuda::ForwardCall& call) -> MergingForward {
      cuda::check_hopper_call(call, {});
      return [](const cuda::ForwardCall& of, cuda::OutputAccumulator into, cudaStream_t stream) {
        cuda::hopper_forward_merging(of, into, {}, stream);
      };
    };
  } else {
    kernels.missing.push_back(fmt::format("our own attention kernel needs compute capability 9.0, this GPU has {}.{}",
                                          device.major, device.minor));
  }
  kernels.some_sms = [id = device.id](int sms) -> std::shared_ptr<SomeSms> {
    return std::make_shared<OnGreenContext>(id, sms);
  };
  if (has(libraries, "cuBLAS")) {
    kernels.product = [](std::int64_t m, std::int64_t n, std::int64_t k) -> MatrixProduct {
      const auto product = std::make_shared<cuda::Gemm>(m, n, k);
      return [product](const cuda::Bf16* a, const cuda::Bf16* b, cuda::Bf16* c, cudaStream_t stream) {
        product->run(a, b, c, stream);
      };
    };
  }
  if (has(libraries, "NCCL")) {
    kernels.nccl = [](const std::vector<int>& devices, std::size_t max_bytes) -> std::unique_ptr<Transfer> {
      return std::make_unique<NcclTransfer>(devices, max_bytes);
    };
  }
  return kernels;
}

}  // namespace ringsim::calibrate
