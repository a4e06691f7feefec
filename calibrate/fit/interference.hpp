#pragma once
// Fits the shares that a kernel and a hop keep while both run on a rank, from a kernel and a hop alone and begun together.
// Alone they take C and T, together c' and h'. Of a kernel that outlasts the hop (c' > h'):
//   the hop ran at ψ of its speed all the time                       h' = T/ψ            ψ = T/h'
//   the kernel at φ while the hop was there and at 1 afterwards      c' = C + (1 − φ)h'  φ = 1 − (c' − C)/h'
// Both are cut to (0, 1]: what runs faster in company is scatter. Of ψ the median over the points counts, and its
// uncertainty is the largest distance of a point from it, as shapes differ more than samples do. φ is found by least
// squares over all points, each in units of its C, with the standard error of the slope: c' − C is the small difference of
// two large numbers where the hop is short. Pairs whose hop outlasts the kernel are left out, with a note.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct InterferenceFit {
  std::optional<Interference> shares;  // absent: no usable point
  FitReport report;                    // residuals of c'
  std::vector<std::string> notes;
};

/// `points`: all of one transfer engine.
[[nodiscard]] InterferenceFit fit_interference(const std::vector<InterferencePoint>& points, Origin origin,
                                               const std::string& source);

}  // namespace ringsim::calibrate
