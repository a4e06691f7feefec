#pragma once
// The shape of a scenario's ring: what one rank computes with and sends.

#include "models/cost.hpp"
#include "models/scenario.hpp"

namespace ringsim {

[[nodiscard]] inline RingShape ring_shape(const Scenario& s) {
  return {heads_of_rank(s.model, s.parallel.tensor, batch_of_rank(s)), s.workload.dtype, s.ring.gradient,
          s.ring.travels, s.ring.backward};
}

/// The mask of one layer: causal or not, windowed where the layer slides.
[[nodiscard]] inline Mask mask_of_layer(const Scenario& s, std::int64_t layer) {
  return {s.workload.causal, s.model.is_sliding(layer) ? s.model.sliding_window : std::nullopt};
}

}  // namespace ringsim
