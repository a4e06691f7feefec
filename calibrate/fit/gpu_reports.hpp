#pragma once
// What a calibration of a GPU tells that no value of a profile is made of, for people to compare with.
//
// Attention by SMs: a kernel that takes T(N) on all N SMs takes on n of them
//   T(n) = T(N) · (1 − p + p · N/n)            p: the part of its time that SMs divide; the rest is memory and fixed cost
// p by least squares through the origin of T(n)/T(N) − 1 over N/n − 1, its ± 1.96 standard errors. Beside a transfer that
// holds k SMs such a kernel keeps T(N)/T(N − k) of its speed, if nothing but SMs is shared: to be compared with φ.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"

#include <optional>
#include <vector>

namespace ringsim::calibrate {

/// For each implementation part p, and φ beside 8 SMs; none where no shape was measured on different numbers of SMs.
[[nodiscard]] std::vector<FitReport> attention_by_sms(const std::vector<AttentionVariantPoint>& points);

/// Our own kernel on all SMs: its best rate, and its median time against that of the profile's kernel on the same shapes; the
/// time of a merging epilogue against the epilogue that writes an output.
[[nodiscard]] std::vector<FitReport> variant_reports(const std::vector<AttentionVariantPoint>& variants,
                                                     const std::vector<AttentionPoint>& profiles);

/// Copies: the best rate without pacing, and the fewest blocks that keep a rate within 2 %.
[[nodiscard]] std::optional<FitReport> copy_report(const std::vector<CopyPoint>& points);

}  // namespace ringsim::calibrate
