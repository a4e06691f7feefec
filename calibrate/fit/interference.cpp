#include "calibrate/fit/interference.hpp"

#include "calibrate/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

// A share of nothing would stop a simulation; a share is at least this.
constexpr double least_share = 1e-3;

// 1 − φ is the slope of how much longer a kernel takes over how long the hop beside it does, both as parts of the kernel
// alone, through the origin: least squares, in which a hop that is a large part of its kernel says more than one whose
// effect drowns in the kernel's own scatter.
Calibrated<double> compute_share(const std::vector<const InterferencePoint*>& points, const std::string& name,
                                 Origin origin, const std::string& source, std::vector<std::string>& notes) {
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const InterferencePoint* p : points) {
    const double x = p->transfer_beside.median_s / p->kernel_alone.median_s;
    const double y = p->kernel_beside.median_s / p->kernel_alone.median_s - 1;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const double slope = xy / xx;
  const double share = std::clamp(1 - slope, least_share, 1.0);
  // Of one point nothing is known of the scatter.
  const auto freedom = static_cast<double>(points.size()) - 1;
  const double scatter = freedom > 0 ? std::sqrt(std::max(0.0, yy - slope * xy) / freedom / xx) : 0.0;
  return {share, stated_uncertainty(1.96 * scatter / share, name, notes), origin, source};
}

Calibrated<double> share_of(const std::vector<double>& shares, const std::string& name, Origin origin,
                            const std::string& source, std::vector<std::string>& notes) {
  const double middle = median(shares);
  double farthest = 0;
  for (const double share : shares) farthest = std::max(farthest, std::abs(share - middle) / middle);
  return {middle, stated_uncertainty(farthest, name, notes), origin, source};
}

}  // namespace

InterferenceFit fit_interference(const std::vector<InterferencePoint>& points, Origin origin,
                                 const std::string& source) {
  InterferenceFit fit;
  if (points.empty()) return fit;
  const std::string engine(name_of(points[0].engine));
  fit.report.name = "interference " + engine;
  std::vector<const InterferencePoint*> usable;
  std::vector<double> transfer;
  Range sizes{points[0].bytes, points[0].bytes};
  for (const InterferencePoint& p : points) {
    const double beside_s = p.transfer_beside.median_s;
    if (p.kernel_beside.median_s <= beside_s) {
      fit.notes.push_back(
          fmt::format("interference {}: {} is left out, its hop outlasts the kernel", engine, p.source));
      continue;
    }
    usable.push_back(&p);
    sizes = usable.size() == 1 ? Range{p.bytes, p.bytes} : hull(sizes, p.bytes);
    transfer.push_back(std::clamp(p.transfer_alone.median_s / beside_s, least_share, 1.0));
  }
  if (usable.empty()) return fit;
  fit.shares = Interference{compute_share(usable, fit.report.name + ", compute_share", origin, source, fit.notes),
                            share_of(transfer, fit.report.name + ", transfer_share", origin, source, fit.notes)};
  const double phi = fit.shares->compute_share.value;
  const double psi = fit.shares->transfer_share.value;
  for (const InterferencePoint* p : usable) {
    const double predicted_s = p->kernel_alone.median_s + (1 - phi) * p->transfer_alone.median_s / psi;
    fit.report.residuals.push_back({p->source, predicted_s / p->kernel_beside.median_s - 1});
  }
  summarise(fit.report);
  fit.report.range = "bytes " + text_of(sizes);
  fit.report.parameters = {{"compute_share", phi, "", fit.shares->compute_share.relative_uncertainty, true},
                           {"transfer_share", psi, "", fit.shares->transfer_share.relative_uncertainty, true}};
  return fit;
}

}  // namespace ringsim::calibrate
