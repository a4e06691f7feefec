#include "kernels/cuda/error.hpp"
#include "kernels/cuda/hopper/attention.hpp"
#include "kernels/cuda/hopper/forward.cuh"
#include "models/error.hpp"

#include <cuda_runtime.h>
#include <ringsim_tensor_map.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>

namespace ringsim::cuda {
namespace {

// Numbers of tiles and of rows are ints in the kernel, with room for a grid's worth of more.
constexpr std::int64_t kMost = std::int64_t{1} << 30U;

int attribute(cudaDeviceAttr which, const char* name) {
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, device), name);
  return value;
}

/// As TMA wants it.
template <class T>
bool is_aligned(const View<T>& tensor, std::uintptr_t bytes) {
  const bool strides_fit =
      tensor.heads <= 1 ||
      tensor.head_stride * static_cast<std::int64_t>(sizeof(T)) % static_cast<std::int64_t>(bytes) == 0;
  return reinterpret_cast<std::uintptr_t>(tensor.data) % bytes == 0 && strides_fit;
}

/// `name`: of the tensor, for the message.
template <class T>
void check_tensor(const View<T>& tensor, const char* name, std::int64_t heads, std::int64_t rows, std::int64_t dim,
                  std::uintptr_t bytes) {
  const std::string text = name;
  if (tensor.heads != heads || tensor.rows != rows || tensor.dim != dim) {
    throw Error("sm90 attention: " + text + " is [" + std::to_string(tensor.heads) + "][" +
                    std::to_string(tensor.rows) + "][" + std::to_string(tensor.dim) + "]",
                {}, "[" + std::to_string(heads) + "][" + std::to_string(rows) + "][" + std::to_string(dim) + "]");
  }
  if (heads == 0 || rows == 0) return;
  if (tensor.data == nullptr) throw Error("sm90 attention: " + text + " has no memory");
  if (heads > 1 && tensor.head_stride < rows * dim) throw Error("sm90 attention: the heads of " + text + " overlap");
  if (!is_aligned(tensor, bytes)) {
    throw Error("sm90 attention: " + text + " does not begin on a multiple of " + std::to_string(bytes) +
                " bytes, or its heads do not");
  }
}

void check_inputs(const ForwardCall& call, const HopperOptions& options) {
  const auto& q = call.q;
  check_tensor(q, "q", q.heads, q.rows, kHeadDim, 16);
  check_tensor(call.k, "k", call.k.heads, call.k.rows, kHeadDim, 16);
  check_tensor(call.v, "v", call.k.heads, call.k.rows, kHeadDim, 16);
  if (q.heads > 0 && (call.k.heads == 0 || q.heads % call.k.heads != 0)) {
    throw Error("sm90 attention: " + std::to_string(q.heads) + " query heads and " + std::to_string(call.k.heads) +
                    " key heads",
                {}, "a divisor");
  }
  if (q.rows >= kMost || call.k.rows >= kMost || (q.rows / kQueryRows + 1) * q.heads >= kMost) {
    throw Error("sm90 attention: more than 2^30 tokens or tiles");
  }
  if (!(call.scale > 0) || !std::isfinite(call.scale)) {
    throw Error("sm90 attention: a scale of " + std::to_string(call.scale), {}, "above 0");
  }
  if (options.sms < 0) throw Error("sm90 attention: " + std::to_string(options.sms) + " SMs", {}, "0 for all, or more");
  if (options.key_rows != 0 && options.key_rows != 128 && !(options.key_rows == 176 && !call.causal)) {
    throw Error("sm90 attention: blocks of " + std::to_string(options.key_rows) + " keys", {},
                "128; 176 where not causal; 0 to choose");
  }
  const int major = attribute(cudaDevAttrComputeCapabilityMajor, "cudaDevAttrComputeCapabilityMajor");
  const int minor = attribute(cudaDevAttrComputeCapabilityMinor, "cudaDevAttrComputeCapabilityMinor");
  if (major != 9 || minor != 0) {
    throw Error("sm90 attention: a GPU of compute capability " + std::to_string(major) + "." + std::to_string(minor),
                {}, "9.0 (H100, H200)");
  }
}

/// Longer blocks mean fewer steps of softmax and of barriers, but the last one is padded: 176 where that does not cost
/// more than 5 % of additional keys. Causal tiles gain from short blocks at the diagonal.
int choose_key_rows(const ForwardCall& call, const HopperOptions& options) {
  if (options.key_rows != 0) return options.key_rows;
  const auto padded = [&](std::int64_t rows) { return (call.k.rows + rows - 1) / rows * rows; };
  return !call.causal && padded(176) * 20 <= padded(128) * 21 ? 176 : 128;
}

template <unsigned key_rows, bool causal, bool merging>
void launch(const ForwardCall& call, const Output& output, const HopperOptions& options, cudaStream_t stream) {
  ForwardProblem problem;
  problem.shape.heads = static_cast<int>(call.q.heads);
  problem.shape.heads_per_key_head = static_cast<int>(call.q.heads / call.k.heads);
  problem.shape.queries = static_cast<int>(call.q.rows);
  problem.shape.keys = static_cast<int>(call.k.rows);
  problem.shape.causal = causal;
  // Further out nothing changes: all keys are seen, or none.
  problem.shape.diagonal = static_cast<int>(std::clamp(options.diagonal, -call.q.rows, call.k.rows));
  problem.scale = static_cast<float>(call.scale);
  problem.scale_log2 = static_cast<float>(call.scale * 1.4426950408889634074);  // log2 e
  problem.output = output;

  const int sms =
      options.sms > 0 ? options.sms : attribute(cudaDevAttrMultiProcessorCount, "cudaDevAttrMultiProcessorCount");
  constexpr auto kernel = &attention_forward<key_rows, causal, merging>;
  constexpr std::size_t shared_bytes = sizeof(ForwardShared<key_rows>);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)),
        "cudaFuncSetAttribute");
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(std::min(sms, problem.shape.tiles())));
  config.blockDim = dim3(kThreads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  // Without keys nothing is copied, but a tensor map has to be of something.
  const bool has_keys = call.k.rows > 0;
  const TensorMap q = encode(boxes_of(call.q, kQueryRows));
  const TensorMap k = has_keys ? encode(boxes_of(call.k, static_cast<int>(key_rows))) : q;
  const TensorMap v = has_keys ? encode(boxes_of(call.v, static_cast<int>(key_rows))) : q;
  check(cudaLaunchKernelEx(&config, kernel, q, k, v, problem), "launch of the sm90 attention kernel");
}

template <bool merging>
void launch_any(const ForwardCall& call, const Output& output, const HopperOptions& options, cudaStream_t stream) {
  if (call.q.heads == 0 || call.q.rows == 0) return;
  if (call.causal) {
    launch<128, true, merging>(call, output, options, stream);
  } else if (choose_key_rows(call, options) == 176) {
    launch<176, false, merging>(call, output, options, stream);
  } else {
    launch<128, false, merging>(call, output, options, stream);
  }
}

class HopperKernels final : public AttentionKernels {
 public:
  explicit HopperKernels(int sms) : options_{sms, 0, 0} {}
  [[nodiscard]] std::string name() const override { return "sm90"; }
  [[nodiscard]] bool has_backward() const override { return false; }
  void prepare(const ForwardCall& call) override { check_hopper_call(call, options_); }
  void prepare(const BackwardCall&) override { no_backward(); }
  void forward(const ForwardCall& call, cudaStream_t stream) override { hopper_forward(call, options_, stream); }
  void backward(const BackwardCall&, cudaStream_t) override { no_backward(); }

 private:
  [[noreturn]] static void no_backward() {
    throw Error("sm90 attention: no backward pass", {}, "forward alone; cudnn and reference have both");
  }
  HopperOptions options_;
};

}  // namespace

void check_hopper_call(const ForwardCall& call, const HopperOptions& options) {
  check_inputs(call, options);
  check_tensor(call.o, "o", call.q.heads, call.q.rows, kHeadDim, 16);
  check_tensor(call.lse, "lse", call.q.heads, call.q.rows, 1, sizeof(float));
}

void hopper_forward(const ForwardCall& call, const HopperOptions& options, cudaStream_t stream) {
  check_hopper_call(call, options);
  launch_any<false>(call, {call.o.data, nullptr, call.lse.data, call.o.head_stride, call.lse.head_stride}, options,
                    stream);
}

void hopper_forward_merging(const ForwardCall& call, OutputAccumulator into, const HopperOptions& options,
                            cudaStream_t stream) {
  check_inputs(call, options);
  check_tensor(into.o, "the accumulator's o", call.q.heads, call.q.rows, kHeadDim, 8);
  check_tensor(into.lse, "the accumulator's lse", call.q.heads, call.q.rows, 1, sizeof(float));
  launch_any<true>(call, {nullptr, into.o.data, into.lse.data, into.o.head_stride, into.lse.head_stride}, options,
                   stream);
}

void forward_merging(const ForwardCall& call, OutputAccumulator into, int sms, cudaStream_t stream) {
  hopper_forward_merging(call, into, {sms, 0, 0}, stream);
}

std::unique_ptr<AttentionKernels> hopper_kernels(int sms) { return std::make_unique<HopperKernels>(sms); }

}  // namespace ringsim::cuda
