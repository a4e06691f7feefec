// Attention by cuDNN: a plan a shape, built when it is prepared.
#include "kernels/cuda/attention.hpp"
#include "kernels/cuda/cudnn/plan.hpp"
#include "kernels/cuda/cudnn/scratch.hpp"
#include "kernels/cuda/cudnn/shapes.hpp"

#include <array>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace ringsim::cuda {

#if RINGSIM_HAS_CUDNN

namespace {

using namespace cudnn;  // NOLINT(google-build-using-namespace): the room of this file

/// cuDNN reads inputs through the same pointers to void as it writes outputs.
template <class T>
Binding bind(Uid uid, const View<const T>& view) {
  return {uid, const_cast<T*>(view.data)};  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}
template <class T>
Binding bind(Uid uid, const View<T>& view) {
  return {uid, view.data};
}

/// Where the two tensors lie that backward() gives cuDNN, behind its own workspace.
struct BackwardScratch {
  std::size_t delta_at, dq_at, dq_bytes, bytes;
};

BackwardScratch backward_scratch(const AttentionShape& shape, std::size_t workspace_bytes) {
  const auto rows = static_cast<std::size_t>(shape.heads * shape.queries);
  BackwardScratch scratch{};
  scratch.delta_at = aligned(workspace_bytes);
  scratch.dq_at = scratch.delta_at + aligned(rows * sizeof(float));
  scratch.dq_bytes = rows * static_cast<std::size_t>(shape.dim) * sizeof(float);
  scratch.bytes = scratch.dq_at + aligned(scratch.dq_bytes);
  return scratch;
}

/// Before it, masks want another number than minus infinity for what they hide.
constexpr std::size_t first_version = 91000;
/// Up to 9.15.0 cuDNN's own wrapper adds a mask to backward graphs whose keys do not fill tiles of 128; we add none.
constexpr std::size_t first_version_for_any_number_of_keys = 91501;

Target target_of_a_known_version() {
  if (cudnn_library().get_version() < first_version) {
    throw Error("cuDNN " + cudnn_version() + " is too old", cudnn_path(), "Take 9.16 or newer.");
  }
  return Target::here();
}

class CudnnKernels final : public AttentionKernels {
 public:
  [[nodiscard]] std::string name() const override { return "cudnn"; }

  [[nodiscard]] std::string version() const override {
    std::string text = cudnn_version();
    for (const std::string& engine : engines_) text += ", " + engine;
    return text;
  }

  [[nodiscard]] bool has_backward() const override { return true; }

  void prepare(const ForwardCall& call) override {
    const AttentionShape shape = shape_of(call);
    if (forward_.contains(shape)) return;
    const Plan& plan = forward_.try_emplace(shape, forward_graph(shape), target_).first->second;
    engines_.insert("forward engine " + std::to_string(plan.engine()));
    scratch_.reserve(plan.workspace_bytes());
  }

  void prepare(const BackwardCall& call) override {
    const AttentionShape shape = shape_of(call);
    if (backward_.contains(shape)) return;
    if (shape.keys % 128 != 0 && cudnn_library().get_version() < first_version_for_any_number_of_keys) {
      throw Error(
          "cuDNN " + cudnn_version() + " has no sound backward kernel for " + std::to_string(shape.keys) + " keys", {},
          "Take a multiple of 128 keys, or cuDNN 9.16 or newer.");
    }
    const Plan& plan = backward_.try_emplace(shape, backward_graph(shape), target_).first->second;
    engines_.insert("backward engine " + std::to_string(plan.engine()));
    scratch_.reserve(backward_scratch(shape, plan.workspace_bytes()).bytes);
  }

  void forward(const ForwardCall& call, cudaStream_t stream) override {
    const Plan& plan = prepared(forward_, shape_of(call));
    auto scale = static_cast<float>(call.scale);
    float minus_infinity = -std::numeric_limits<float>::infinity();
    std::array<Binding, 7> bindings{bind(uid::q, call.q),
                                    bind(uid::k, call.k),
                                    bind(uid::v, call.v),
                                    bind(uid::o, call.o),
                                    bind(uid::lse, call.lse),
                                    Binding{uid::scale, &scale},
                                    Binding{uid::minus_infinity, &minus_infinity}};
    plan.execute(without_mask(bindings, call.causal), scratch_.data(), stream);
  }

  void backward(const BackwardCall& call, cudaStream_t stream) override {
    const AttentionShape shape = shape_of(call);
    const Plan& plan = prepared(backward_, shape);
    const BackwardScratch scratch = backward_scratch(shape, plan.workspace_bytes());
    // Engines add to dQ tile by tile, and nothing else zeroes it.
    check(cudaMemsetAsync(scratch_.data() + scratch.dq_at, 0, scratch.dq_bytes, stream), "cudaMemsetAsync");
    auto scale = static_cast<float>(call.scale);
    float one = 1;
    float minus_infinity = -std::numeric_limits<float>::infinity();
    std::array<Binding, 14> bindings{bind(uid::q, call.q),
                                     bind(uid::k, call.k),
                                     bind(uid::v, call.v),
                                     bind(uid::o, call.o),
                                     bind(uid::d_out, call.d_out),
                                     bind(uid::lse, call.lse),
                                     bind(uid::dq, call.dq),
                                     bind(uid::dk, call.dk),
                                     bind(uid::dv, call.dv),
                                     Binding{uid::delta, scratch_.data() + scratch.delta_at},
                                     Binding{uid::dq_accumulator, scratch_.data() + scratch.dq_at},
                                     Binding{uid::scale, &scale},
                                     Binding{uid::one, &one},
                                     Binding{uid::minus_infinity, &minus_infinity}};
    plan.execute(without_mask(bindings, call.causal), scratch_.data(), stream);
  }

 private:
  using Plans = std::map<AttentionShape, Plan>;

  static const Plan& prepared(const Plans& plans, const AttentionShape& shape) {
    const auto found = plans.find(shape);
    if (found == plans.end()) throw Error("attention of cuDNN was not prepared for this shape");
    return found->second;
  }

  /// The value that stands for what a mask hides comes last: graphs without a mask do not know it.
  static std::span<const Binding> without_mask(std::span<const Binding> bindings, bool causal) {
    return causal ? bindings : bindings.first(bindings.size() - 1);
  }

  Target target_ = target_of_a_known_version();
  Plans forward_;
  Plans backward_;
  Scratch scratch_;
  std::set<std::string> engines_;
};

}  // namespace

std::unique_ptr<AttentionKernels> cudnn_kernels() { return std::make_unique<CudnnKernels>(); }

#else

std::unique_ptr<AttentionKernels> cudnn_kernels() { throw_not_built_in("cuDNN", "cudnn_graph.h"); }

#endif

}  // namespace ringsim::cuda
