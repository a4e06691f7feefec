#pragma once
// Two kinds of work that share what they run on (cores, SMs, caches, memory): a kernel of a rank and the hop that comes in to
// it. Beside each other the kernel makes φ and the hop ψ of its full speed, apart both are at full speed. Of a kernel that has
// w left and a hop that has T left, both at full speed, the first to end does so after
//
//   o = min(w / φ, T / ψ)          so that, measured from now, the kernel ends at  w + (1 - φ) · o,  the hop at  T + (1 - ψ) · o
//
// φ = ψ = 1: they do not disturb each other. φ + ψ = 1: one core, divided; where both fit they take w + T together.

#include "models/quantity.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace ringsim {

/// Each in (0, 1].
struct RateShares {
  double compute = 1.0;   // φ, of the kernel
  double transfer = 1.0;  // ψ, of the incoming hop

  /// o [s], of what is left at full speed [s]; 0 where one of them has nothing left.
  [[nodiscard]] double together_s(double kernel_s, double hop_s) const {
    return std::max(0.0, std::min(hop_s / transfer, kernel_s / compute));
  }
  /// By how much a kernel that starts with a hop is longer than alone.
  [[nodiscard]] Duration lost(Duration kernel, Duration hop) const {
    return seconds((1.0 - compute) * together_s(in_seconds(kernel), in_seconds(hop)));
  }
  /// From the start of both to the end of the later.
  [[nodiscard]] Duration both(Duration kernel, Duration hop) const {
    const double o = together_s(in_seconds(kernel), in_seconds(hop));
    return std::max(kernel + seconds((1.0 - compute) * o), hop + seconds((1.0 - transfer) * o));
  }
  friend bool operator==(const RateShares&, const RateShares&) = default;
};

/// A kernel by how long it takes alone, and what it and a hop beside it are left.
struct SharingKernel {
  double alone_s = 0;
  RateShares shares;
};

/// The least time [s] in which kernels i and one hop can all be done, whoever starts when. While kernel i and the hop run together
/// they do the work of φ + ψ seconds in one; of the hop's T that takes ψ t_i, of the kernel's w_i φ t_i:
///
///   T + Σ w_i - max Σ (φ_i + ψ_i - 1) t_i        with φ_i t_i ≤ w_i and Σ ψ_i t_i ≤ T
///
/// in which those that gain most of a second of the hop come first.
template <std::size_t Count>
[[nodiscard]] double least_together_s(std::array<SharingKernel, Count> kernels, double hop_s) {
  const auto gain = [](const RateShares& s) { return (s.compute + s.transfer - 1.0) / s.transfer; };
  std::sort(kernels.begin(), kernels.end(),
            [&](const SharingKernel& a, const SharingKernel& b) { return gain(a.shares) > gain(b.shares); });
  double total_s = hop_s;
  for (const SharingKernel& kernel : kernels) {
    const double together_s = std::min(kernel.alone_s / kernel.shares.compute, hop_s / kernel.shares.transfer);
    total_s += kernel.alone_s - std::max(0.0, kernel.shares.compute + kernel.shares.transfer - 1.0) * together_s;
    hop_s -= kernel.shares.transfer * together_s;
  }
  return total_s;
}

/// By what runs beside the hop.
struct KernelShares {
  RateShares forward;   // attention, forward
  RateShares backward;  // attention, backward
  RateShares other;     // merges and dense work
  friend bool operator==(const KernelShares&, const KernelShares&) = default;
};

}  // namespace ringsim
