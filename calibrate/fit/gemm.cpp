#include "calibrate/fit/gemm.hpp"

#include "calibrate/fit/least_squares.hpp"
#include "calibrate/fit/sources.hpp"
#include "models/dense_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ringsim::calibrate {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr double unlimited = 1e18;  // B/s: no product of any size is bound by it

struct Group {
  const char* key = "";  // of the profile
  std::vector<GemmPoint> points;
};

bool is_fp8(const GemmPoint& p) { return p.dtype == Dtype::fp8; }
bool is_16_bit(const GemmPoint& p) { return p.dtype == Dtype::bf16 || p.dtype == Dtype::fp16; }

double flop_per_s(const GemmPoint& p) {
  return 2.0 * static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) / p.time.median_s;
}

double least_bytes(const GemmPoint& p) {
  const double operand = bytes_per_element(p.dtype);
  const double result = is_fp8(p) ? bytes_per_element(Dtype::bf16) : operand;
  const auto m = static_cast<double>(p.m);
  const auto n = static_cast<double>(p.n);
  const auto k = static_cast<double>(p.k);
  return operand * (m * k + k * n) + result * m * n;
}

class Fit {
 public:
  Fit(const std::vector<GemmPoint>& points, Duration launch) {
    profile_.launch.value = launch;
    for (const auto& [key, wanted] : {std::pair{"gemm", &is_16_bit}, std::pair{"gemm_fp8", &is_fp8}}) {
      Group group{key, {}};
      std::copy_if(points.begin(), points.end(), std::back_inserter(group.points), wanted);
      if (!group.points.empty()) groups_.push_back(std::move(group));
    }
    for (const Group& group : groups_) count_ += group.points.size();
  }

  [[nodiscard]] const std::vector<Group>& groups() const { return groups_; }
  [[nodiscard]] std::size_t count() const { return count_; }

  // Parameters: of each group log F and half_rows, then, where asked for, log W.
  Solution solve(bool with_memory) {
    std::vector<Parameter> parameters;
    double busiest = 0;
    for (const Group& group : groups_) {
      double fastest = 0;
      for (const GemmPoint& p : group.points) {
        fastest = std::max(fastest, flop_per_s(p));
        busiest = std::max(busiest, least_bytes(p) / p.time.median_s);
      }
      parameters.push_back({std::log(fastest), 1, -1e3});
      parameters.push_back({10, 10, 0});
    }
    if (with_memory) parameters.push_back({std::log(busiest), 1, -1e3});
    const auto residuals = [&](const VectorXd& x) {
      apply(x, with_memory);
      VectorXd r(static_cast<Index>(count_));
      Index i = 0;
      for (const Group& group : groups_) {
        for (const GemmPoint& p : group.points) r(i++) = std::log(predicted_s(p) / p.time.median_s);
      }
      return r;
    };
    Solution solution = least_squares(residuals, parameters);
    apply(solution.values, with_memory);
    return solution;
  }

  [[nodiscard]] double predicted_s(const GemmPoint& p) const {
    Gemm gemm;
    gemm.rows = {0, static_cast<double>(p.m)};
    gemm.columns = static_cast<double>(p.n);
    gemm.depth = static_cast<double>(p.k);
    gemm.dtype = p.dtype;
    return in_seconds(costs_.time(gemm, 0, 1));
  }

 private:
  void apply(const VectorXd& x, bool with_memory) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      GemmCost cost;
      cost.saturated.value = flop_per_second(std::exp(x(static_cast<Index>(2 * g))));
      cost.half_rows.value = x(static_cast<Index>(2 * g + 1));
      (is_fp8(groups_[g].points.front()) ? profile_.gemm_fp8 : profile_.gemm) = cost;
    }
    profile_.memory_bandwidth =
        Calibrated<Bandwidth>{bytes_per_second(with_memory ? std::exp(x(x.size() - 1)) : unlimited), 0, {}, {}};
    costs_ = DenseCosts(profile_, Gpu{});
  }

  std::vector<Group> groups_;
  std::size_t count_ = 0;
  Profile profile_;
  DenseCosts costs_;
};

}  // namespace

GemmFit fit_gemm(const std::vector<GemmPoint>& points, Duration launch, Origin origin, const std::string& source) {
  GemmFit result;
  Fit fit(points, launch);
  if (fit.count() < points.size()) {
    result.notes.push_back(
        fmt::format("matrix products: {} of {} are in a format that a profile has no rate for, and left out",
                    points.size() - fit.count(), points.size()));
  }
  if (fit.groups().empty()) return result;
  const double without_memory = fit.solve(false).sum_of_squares;
  bool with_memory = true;
  Solution solution = fit.solve(with_memory);
  const auto half_interval = [&](Index i) {
    const auto freedom = static_cast<Index>(fit.count()) - solution.values.size();
    return freedom < 1 ? 0.0 : student_95(freedom) * solution.standard_error(i);
  };
  // In logarithms an interval of 1 is a factor of e each way: nothing is known. Nor is it where the fit is as good without.
  const bool as_good = without_memory <= solution.sum_of_squares * 1.001 + 1e-12 * static_cast<double>(fit.count());
  if (as_good || !(half_interval(solution.values.size() - 1) < 1) ||
      static_cast<Index>(fit.count()) <= solution.values.size()) {
    with_memory = false;
    solution = fit.solve(with_memory);
    result.notes.emplace_back("memory_bandwidth: no matrix product is bound by memory, so these do not determine it");
  }
  for (std::size_t g = 0; g < fit.groups().size(); ++g) {
    const Group& group = fit.groups()[g];
    const auto rate = static_cast<Index>(2 * g);
    const Index rows = rate + 1;
    FitReport report;
    report.name = std::string("matrix products ") + (is_fp8(group.points.front()) ? "fp8" : "bf16");
    Range m{static_cast<double>(group.points[0].m), static_cast<double>(group.points[0].m)};
    for (const GemmPoint& p : group.points) {
      report.residuals.push_back({p.source, fit.predicted_s(p) / p.time.median_s - 1});
      m = hull(m, static_cast<double>(p.m));
    }
    summarise(report);
    report.range = "rows " + text_of(m);
    const std::string from = source_of(group.points, source);
    GemmCost cost;
    cost.saturated = {flop_per_second(std::exp(solution.values(rate))),
                      stated_uncertainty(std::hypot(half_interval(rate), scatter_95(report)),
                                         std::string(group.key) + ".saturated", result.notes),
                      origin, from};
    const double half_rows = solution.values(rows);
    const bool known = half_rows > 0 && half_interval(rows) < half_rows;
    cost.half_rows = {known ? half_rows : 0, known ? half_interval(rows) / half_rows : 0, origin, from};
    if (half_rows > 0 && !known) {
      result.notes.push_back(fmt::format("{}.half_rows: {:.3g} ± {:.3g} by these points, 0 is taken", group.key,
                                         half_rows, half_interval(rows)));
    }
    report.parameters = {
        {"saturated", in_flop_per_second(cost.saturated.value), "FLOP/s", cost.saturated.relative_uncertainty, true},
        {"half_rows", cost.half_rows.value, "tokens", cost.half_rows.relative_uncertainty, known}};
    (is_fp8(group.points.front()) ? result.gemm_fp8 : result.gemm) = cost;
    result.reports.push_back(std::move(report));
  }
  if (with_memory) {
    const Index last = solution.values.size() - 1;
    result.memory_bandwidth = Calibrated<Bandwidth>{
        bytes_per_second(std::exp(solution.values(last))),
        stated_uncertainty(half_interval(last), "memory_bandwidth", result.notes), origin, source_of(points, source)};
    result.reports.back().parameters.push_back({"memory_bandwidth", in_bytes_per_second(result.memory_bandwidth->value),
                                                "B/s", result.memory_bandwidth->relative_uncertainty, true});
  }
  return result;
}

}  // namespace ringsim::calibrate
