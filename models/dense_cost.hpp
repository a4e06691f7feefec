#pragma once
// Seconds of matrix products and passes over memory.
//
//   GEMM         τ + max(2 · rows · columns · depth / F · (1 + half_rows / m), bytes / W)
//                F and half_rows by number format; m rows of each of the products that work
//                bytes: rows · depth, the matrix, rows · columns, once each; the matrix by its own bytes an element, and
//                results of fp8 products in bf16. So products of few rows take the time of reading their weights.
//   elementwise  τ + max(bytes / W, FLOP on the way / F of attention)
//
// Of `count` products side by side (experts), those work that a token visits. Where R rows come from R / visits tokens, each of
// which goes to `visits` different ones, that is count · (1 - (1 - visits / count)^(R / visits)) of them, and m is R divided by
// them: one token of a mixture reads its own experts' weights, many tokens read all.
//
// Tile and wave quantisation is not modelled (smooth on purpose, as in models/cost.hpp).

#include "models/dense_work.hpp"
#include "models/device.hpp"
#include "models/profile.hpp"

#include <optional>

namespace ringsim {

class DenseCosts {
 public:
  DenseCosts() = default;  // everything is free
  /// Rates come from the profile, and where it has none from the data sheet of the GPU.
  DenseCosts(const Profile& profile, const Gpu& gpu);

  [[nodiscard]] Duration time(const Gemm& gemm, double tokens, double sequences) const;
  [[nodiscard]] Duration time(const Elementwise& pass, double tokens, double sequences) const;
  /// Of all parts, one after the other, for a block of `tokens` tokens of each of `sequences` sequences.
  [[nodiscard]] Duration time(const DenseWork& work, double tokens, double sequences) const;
  /// Whether the rates are the profile's own.
  [[nodiscard]] bool calibrated() const { return calibrated_; }

 private:
  Duration launch_{};
  Bandwidth memory_{};
  FlopRate attention_{};  // of products on the way
  GemmCost gemm_{};
  std::optional<GemmCost> gemm_fp8_{};
  bool known_ = false;
  bool calibrated_ = false;
};

/// Products of `count` that have rows at all, on average, as above.
[[nodiscard]] double working_products(const Gemm& gemm, double rows);

/// FLOP of the matrix products among the parts, 2 · rows · columns · depth of each, and of passes that multiply on the way.
[[nodiscard]] Flop flop_of(const DenseWork& work, double tokens, double sequences);
[[nodiscard]] Flop flop_of(const Gemm& gemm, double tokens, double sequences);

}  // namespace ringsim
