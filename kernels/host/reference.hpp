#pragma once
// Plain attention of a whole sequence and its gradients, to compare the blockwise kernels and the schedules with. It
// shares no arithmetic with them: all scores of a head at once, softmax by its definition, and the gradient of the scores
// from softmax's own Jacobian,
//   dS = P ∘ (dP − rowsum(P ∘ dP))   with dP = dO·Vᵀ
// instead of from saved statistics. Double only. Memory: tokens² a head.

#include "kernels/host/tensors.hpp"
#include "models/mask.hpp"

namespace ringsim::host {

/// Output and log-sum-exp of q over k, v; tokens stand in the order of the sequence. Where there are fewer queries than keys
/// they are the last tokens.
[[nodiscard]] Partial<double> reference_attention(const Block<double>& sequence, const Mask& mask, double scale);

/// Gradients q, k, v of Σ dO ∘ O.
[[nodiscard]] Block<double> reference_gradients(const Block<double>& sequence, const Mask& mask, double scale);

}  // namespace ringsim::host
