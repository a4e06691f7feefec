#include "calibrate/fit/merge.hpp"

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/statistics.hpp"
#include "models/cost.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

double bytes_of(const MergePoint& p) { return in_bytes(merge_bytes(p.shape, p.accumulator, p.travelling, p.tokens)); }

// Where merging outputs (exponentials) and adding gradients differ by more than a quarter.
void note_two_rates(const std::vector<MergePoint>& points, double tau_s, std::vector<std::string>& notes) {
  std::vector<double> outputs;
  std::vector<double> gradients;
  for (const MergePoint& p : points) {
    if (p.time.median_s <= tau_s) continue;
    (p.accumulator == Accumulator::output ? outputs : gradients).push_back(bytes_of(p) / (p.time.median_s - tau_s));
  }
  if (outputs.empty() || gradients.empty()) return;
  const double output = median(outputs);
  const double gradient = median(gradients);
  if (std::max(output, gradient) < 1.25 * std::min(output, gradient)) return;
  notes.push_back(
      fmt::format("merge: outputs at {:.3g} GB/s, gradients at {:.3g} GB/s; a profile has one rate for both",
                  output / 1e9, gradient / 1e9));
}

}  // namespace

MergeFit fit_merge(const std::vector<MergePoint>& points, Duration launch, Origin origin, const std::string& source) {
  if (points.empty()) throw Error("a fit of merges without a point");
  const double tau_s = in_seconds(launch);
  std::vector<double> rates;  // with the launch in them: where to start
  Range sizes{bytes_of(points[0]), bytes_of(points[0])};
  for (const MergePoint& p : points) {
    rates.push_back(bytes_of(p) / p.time.median_s);
    sizes = hull(sizes, bytes_of(p));
  }
  const auto predicted_s = [&](const MergePoint& p, double rate) { return tau_s + bytes_of(p) / rate; };
  const auto residuals = [&](const Eigen::VectorXd& x) {
    Eigen::VectorXd r(static_cast<Eigen::Index>(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
      r(static_cast<Eigen::Index>(i)) = std::log(predicted_s(points[i], std::exp(x(0))) / points[i].time.median_s);
    }
    return r;
  };
  const Solution solution = least_squares(residuals, {{std::log(median(rates)), 1, -1e3}});
  const double rate = std::exp(solution.values(0));

  MergeFit fit;
  fit.report.name = "merge";
  for (const MergePoint& p : points) {
    fit.report.residuals.push_back({p.source, predicted_s(p, rate) / p.time.median_s - 1});
  }
  summarise(fit.report);
  fit.report.range = fmt::format("bytes {}", text_of(sizes));
  const auto freedom = static_cast<Eigen::Index>(points.size()) - 1;
  const Timing& first = points[0].time;
  const double error = freedom < 1 ? (first.high_s - first.low_s) / (2 * first.median_s)
                                   : student_95(freedom) * solution.standard_error(0);
  fit.traffic = {1.0, 0.0, origin, "least bytes of a merge; the rate holds the rest"};
  fit.bandwidth = {bytes_per_second(rate),
                   stated_uncertainty(std::hypot(error, scatter_95(fit.report)), "merge_bandwidth", fit.notes), origin,
                   source};
  fit.report.parameters = {{"merge_bandwidth", rate, "B/s", fit.bandwidth.relative_uncertainty, true}};
  note_two_rates(points, tau_s, fit.notes);
  if (freedom < 1) fit.notes.emplace_back("merge: one point, so the fit cannot show how far off it is");
  return fit;
}

}  // namespace ringsim::calibrate
