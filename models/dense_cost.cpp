#include "models/dense_cost.hpp"

#include <algorithm>
#include <cmath>

namespace ringsim {

DenseCosts::DenseCosts(const Profile& profile, const Gpu& gpu)
    : launch_(profile.launch.value),
      memory_(profile.memory_bandwidth ? profile.memory_bandwidth->value : gpu.memory_bandwidth),
      attention_(profile.forward.saturated.value),
      known_(true),
      calibrated_(profile.gemm.has_value()) {
  if (profile.gemm) {
    gemm_ = *profile.gemm;
  } else if (gpu.bf16) {
    gemm_.saturated.value = *gpu.bf16;
  } else if (gpu.fp32) {
    gemm_.saturated.value = *gpu.fp32;
  }
  if (profile.gemm_fp8) {
    gemm_fp8_ = profile.gemm_fp8;
  } else if (gpu.fp8) {
    gemm_fp8_ = gemm_;  // fills the chip as bf16 does
    gemm_fp8_->saturated.value = *gpu.fp8;
  }
}

Flop flop_of(const Gemm& gemm, double tokens, double sequences) {
  return flop(2.0 * gemm.rows.of(tokens, sequences) * gemm.columns * gemm.depth);
}

Flop flop_of(const DenseWork& work, double tokens, double sequences) {
  Flop total;
  for (const auto& part : work.parts) {
    if (const auto* gemm = std::get_if<Gemm>(&part)) total += flop_of(*gemm, tokens, sequences);
    if (const auto* pass = std::get_if<Elementwise>(&part)) {
      total += pass->flop_per_row * pass->rows.of(tokens, sequences);
    }
  }
  return total;
}

double working_products(const Gemm& gemm, double rows) {
  const double missed = 1.0 - std::min(1.0, gemm.visits / gemm.count);  // by one token
  return gemm.count * (1.0 - std::pow(missed, rows / gemm.visits));
}

Duration DenseCosts::time(const Gemm& gemm, double tokens, double sequences) const {
  const double rows = gemm.rows.of(tokens, sequences) * gemm.imbalance;
  if (!known_ || rows <= 0) return {};
  const GemmCost& cost = gemm.dtype == Dtype::fp8 && gemm_fp8_ ? *gemm_fp8_ : gemm_;
  const double working = working_products(gemm, rows);
  const Duration computing = flop(2.0 * rows * gemm.columns * gemm.depth) / cost.saturated.value *
                             (1.0 + cost.half_rows.value * working / rows);
  const double operand = bytes_per_element(gemm.dtype);
  const double result = gemm.dtype == Dtype::fp8 ? bytes_per_element(Dtype::bf16) : operand;
  const double matrix = gemm.matrix_bytes > 0 ? gemm.matrix_bytes : operand;
  const Bytes moved =
      bytes(operand * rows * gemm.depth + matrix * working * gemm.depth * gemm.columns + result * rows * gemm.columns);
  return launch_ + std::max(computing, moved / memory_);
}

Duration DenseCosts::time(const Elementwise& pass, double tokens, double sequences) const {
  const double rows = pass.rows.of(tokens, sequences);
  const Bytes moved = pass.per_row * rows + pass.fixed;
  if (!known_ || moved <= Bytes{}) return {};
  Duration time = moved / memory_;
  if (pass.flop_per_row > Flop{}) time = std::max(time, pass.flop_per_row * rows / attention_);
  return launch_ + time;
}

Duration DenseCosts::time(const DenseWork& work, double tokens, double sequences) const {
  Duration total;
  for (const auto& part : work.parts) {
    total += std::visit([&](const auto& one) { return time(one, tokens, sequences); }, part);
  }
  return total;
}

}  // namespace ringsim
