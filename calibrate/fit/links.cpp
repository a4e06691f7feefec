#include "calibrate/fit/links.hpp"

#include "calibrate/fit/isotonic.hpp"
#include "calibrate/fit/knots.hpp"
#include "calibrate/statistics.hpp"
#include "models/cost.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace ringsim::calibrate {
namespace {

// All hops of one size.
struct Size {
  double bytes = 0;
  double time_s = 0;      // median of the medians
  double weight = 0;      // samples
  double half_width = 0;  // relative: of the intervals, or the spread of the medians where that is more
};

std::vector<Size> sizes_of(const std::vector<TransferPoint>& points) {
  std::map<double, std::vector<const TransferPoint*>> by_bytes;
  for (const TransferPoint& p : points) by_bytes[p.bytes].push_back(&p);
  std::vector<Size> sizes;
  for (const auto& [size, list] : by_bytes) {
    std::vector<double> medians;
    Size one{size, 0, 0, 0};
    for (const TransferPoint* p : list) {
      medians.push_back(p->time.median_s);
      one.weight += static_cast<double>(p->time.samples);
      one.half_width = std::max(one.half_width, (p->time.high_s - p->time.low_s) / (2 * p->time.median_s));
    }
    one.time_s = median(medians);
    for (const double m : medians) one.half_width = std::max(one.half_width, std::abs(m / one.time_s - 1));
    sizes.push_back(one);
  }
  return sizes;
}

// Slope from the smallest to the next size; where that is lost in scatter, the least of those to larger ones.
double latency_of(const std::vector<Size>& sizes, const std::vector<double>& times) {
  double first = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < sizes.size(); ++i) {
    const double slope = (times[i] - times[0]) / (sizes[i].bytes - sizes[0].bytes);
    if (i == 1) first = slope;
    if (slope > 0) least = std::min(least, slope);
  }
  if (std::isinf(least)) return 0;
  return std::max(0.0, times[0] - std::max(first, least) * sizes[0].bytes);
}

}  // namespace

LinkFit fit_link(const std::vector<TransferPoint>& points, std::optional<Bandwidth> nominal, Origin origin,
                 const std::string& source, KnotLimits knots) {
  if (points.empty()) throw Error("a fit of links without a point");
  const std::string& link_class = points[0].link_class;
  const std::vector<Size> sizes = sizes_of(points);
  std::vector<double> times;
  std::vector<double> weights;
  for (const Size& size : sizes) {
    times.push_back(size.time_s);
    weights.push_back(size.weight);
  }
  times = isotonic(times, weights);
  const double alpha_s = latency_of(sizes, times);

  LinkFit fit;
  double best = 0;
  // Of the larger half: what a small message takes beyond α is lost in scatter.
  for (std::size_t i = sizes.size() / 2; i < sizes.size(); ++i)
    best = std::max(best, sizes[i].bytes / (times[i] - alpha_s));
  fit.nominal = nominal.value_or(bytes_per_second(best));
  if (!nominal) {
    fit.notes.push_back(
        fmt::format("link {}: efficiencies refer to the best rate seen, {:.4g} GB/s; give the link this "
                    "bandwidth in the cluster",
                    link_class, best / 1e9));
  }
  double uncertainty = 0;
  std::vector<double> sizes_bytes;
  std::vector<double> flights_s;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    // Where a disturbed small message makes α too large, what is left of a larger one may be less than the wire allows.
    const double least_s = sizes[i].bytes / in_bytes_per_second(fit.nominal);
    sizes_bytes.push_back(sizes[i].bytes);
    flights_s.push_back(times[i] < least_s ? times[i] - alpha_s : std::max(times[i] - alpha_s, least_s));
    if (2 * i + 1 >= sizes.size()) {
      uncertainty = std::max(uncertainty, std::hypot(sizes[i].half_width, times[i] / sizes[i].time_s - 1));
    }
  }
  for (const std::size_t i : knots_of(sizes_bytes, flights_s, alpha_s, knots.tolerance, knots.most)) {
    fit.cost.by_size.push_back(
        {bytes(sizes_bytes[i]), sizes_bytes[i] / in_bytes_per_second(fit.nominal) / flights_s[i]});
  }
  const double large = fit.cost.by_size.back().efficiency;
  if (nominal && best > in_bytes_per_second(*nominal) * (1 + 1e-9)) {
    fit.notes.push_back(
        fmt::format("link {}: hops reach up to {:.0f} % of the nominal bandwidth given; state at least {:.4g} GB/s",
                    link_class, 100 * best / in_bytes_per_second(*nominal), best / 1e9));
  }
  fit.cost.latency = {seconds(alpha_s), 0, origin, source};
  fit.cost.measured_bytes = Range{sizes.front().bytes, sizes.back().bytes};
  if (sizes.size() < 2) {
    fit.cost.by_size.clear();
    fit.notes.push_back(
        fmt::format("link {}: one size only, so the latency is not determined; 0 is taken", link_class));
  }

  fit.cost.efficiency = {large, 0, origin, source};
  fit.report.name = "link " + link_class;
  HopCost hop;
  hop.latency = fit.cost.latency.value;
  hop.bandwidth = fit.nominal * large;
  for (const LinkKnot& knot : fit.cost.by_size) {
    hop.by_size.emplace_back(knot.size, knot.size / (fit.nominal * knot.efficiency));
  }
  for (const TransferPoint& p : points) {
    const double predicted_s = in_seconds(CostModel::hop(hop, bytes(p.bytes)));
    fit.report.residuals.push_back({p.source, predicted_s / p.time.median_s - 1});
  }
  summarise(fit.report);
  // What the knots leave counts as well: a source with one number a size has no intervals.
  std::vector<double> small;
  std::vector<double> larger;
  for (std::size_t i = 0; i < points.size(); ++i) {
    (points[i].bytes < sizes[sizes.size() / 2].bytes ? small : larger)
        .push_back(std::abs(fit.report.residuals[i].relative));
  }
  uncertainty = stated_uncertainty(std::max(uncertainty, quantile(larger, 0.95)), "link " + link_class + ", efficiency",
                                   fit.notes);
  fit.cost.efficiency.relative_uncertainty = uncertainty;
  double alpha_uncertainty = 0;
  if (alpha_s > 0) {
    const double scatter = std::max(sizes[0].half_width, small.empty() ? 0.0 : quantile(small, 0.95));
    alpha_uncertainty = stated_uncertainty(scatter * times[0] / alpha_s, "link " + link_class + ", latency", fit.notes);
  }
  fit.cost.latency.relative_uncertainty = alpha_uncertainty;
  fit.report.range = "bytes " + text_of(*fit.cost.measured_bytes);
  fit.report.parameters = {{"latency", alpha_s, "s", alpha_uncertainty, sizes.size() > 1},
                           {"efficiency", large, "", uncertainty, true},
                           {"nominal bandwidth", in_bytes_per_second(fit.nominal), "B/s", 0, !nominal}};
  return fit;
}

}  // namespace ringsim::calibrate
