#pragma once
// The shape of a scenario's ring: what one rank computes with and sends.

#include "models/cost.hpp"
#include "models/pass_choice.hpp"
#include "models/scenario.hpp"

namespace ringsim {

/// Ulysses divides the heads as tensor parallelism does, but inside of attention alone.
[[nodiscard]] inline RingShape ring_shape(const Scenario& s) {
  RingShape shape{heads_of_rank(s.model, s.parallel.tensor * s.parallel.ulysses, batch_of_rank(s)), s.workload.dtype,
                  s.ring.gradient, s.ring.travels, s.ring.backward};
  if (s.ring.choose_travels) {
    shape.travels = s.ring.exchange == Exchange::one_way ? cheaper_to_move(shape, s.workload.tokens, s.workload.cached)
                                                         : Rotation::kv;
  }
  return shape;
}

/// The mask of one layer: causal or not, windowed where the layer slides.
[[nodiscard]] inline Mask mask_of_layer(const Scenario& s, std::int64_t layer) {
  return {s.workload.causal, s.model.is_sliding(layer) ? s.model.sliding_window : std::nullopt};
}

}  // namespace ringsim
