#pragma once
// How a model is trained: recomputation, micro-batches, pipeline schedule, and how optimiser, gradients and parameters are divided
// over data-parallel ranks.

#include "models/quantity.hpp"

#include <cstdint>
#include <string_view>

namespace ringsim {

/// Activations that the backward pass computes again instead of finding them saved (Korthikanti et al., arXiv 2205.05198 §5).
enum class Recompute {
  none,
  selective,  // what is large and cheap to compute again: here the MLP's inner activations and the norms' outputs
  full,       // everything but a layer's input
};
constexpr std::string_view name_of(Recompute recompute) {
  return recompute == Recompute::none ? "none" : recompute == Recompute::selective ? "selective" : "full";
}

struct Training {
  Recompute recompute = Recompute::none;
  std::int64_t micro_batch = 1;  // sequences of a data-parallel rank that go through the pipeline together
  std::int64_t interleave =
      1;  // pieces of the model a pipeline stage holds (virtual stages; Narayanan et al., 2104.04473 §2.2)
  /// ZeRO stage (Rajbhandari et al., arXiv 1910.02054): data-parallel ranks divide 1 the optimiser state, 2 also the gradients,
  /// 3 also the parameters; 0: they divide nothing.
  std::int64_t zero = 1;
  Bytes bucket = bytes(0);        // gradients that are reduced together; 0: those of a layer
  bool overlap = true;            // gradient and parameter traffic runs beside the computation
  double gradient_bytes = 4;      // a parameter: fp32 main gradients
  double optimizer_bytes = 12;    // a parameter: fp32 master copy and the two moments of Adam; divided from ZeRO 1 on
  std::int64_t logits_chunk = 0;  // tokens of a rank whose logits exist at a time; 0: all of a micro-batch
};

}  // namespace ringsim
