#pragma once
// Fits the costs of matrix products (models/dense_cost.hpp) to measured ones: for each number format the rate F and
// half_rows, and one memory bandwidth W for all, by least squares on log(predicted / measured):
//
//   time = τ + max(2·m·n·k / F · (1 + half_rows / m), bytes / W)         τ, the launch, is given
//
// W follows from products of few rows, whose time is that of reading the matrix; where no product is bound by it, W is left
// out with a note. The 16-bit formats share a rate, as in the profile; other formats than these and fp8 are left out.
//
// Uncertainty, 95 %: of F √((t · standard error)² + scatter²), where 95 % of the |residuals| stay below scatter; of W and
// half_rows t · standard error.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct GemmFit {
  std::optional<GemmCost> gemm;      // bf16 and fp16; absent without points
  std::optional<GemmCost> gemm_fp8;  // absent without points
  std::optional<Calibrated<Bandwidth>> memory_bandwidth;
  std::vector<FitReport> reports;  // a format each
  std::vector<std::string> notes;
};

/// `source` is what the values say where the points name no publication.
[[nodiscard]] GemmFit fit_gemm(const std::vector<GemmPoint>& points, Duration launch, Origin origin,
                               const std::string& source);

}  // namespace ringsim::calibrate
