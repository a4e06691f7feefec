// Attention fits: known parameters come back from points made with them, and what points do not determine is said.
#include "calibrate/fit/attention.hpp"
#include "calibrate/fit/least_squares.hpp"
#include "calibrate/import/import.hpp"
#include "models/cost.hpp"
#include "scenarios/reader.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <sstream>

namespace ringsim::calibrate {
namespace {

// 50 GFLOP/s, half of it at 40 keys or 25 rows forward; backward 35 GFLOP/s at 90 and 10; 3 µs a kernel, tiles of 64 keys.
Profile truth() {
  Profile p;
  p.key_tile = 64;
  p.query_tile = 0;
  p.forward = {{flop_per_second(50e9)}, {40.0}, {25.0}};
  p.backward = {{flop_per_second(35e9)}, {90.0}, {10.0}};
  p.launch = {microseconds(3)};
  return p;
}

// Full, causal and oblong kernels, timed by the truth, off by a factor of exp(`noise`·normal).
std::vector<AttentionPoint> points_of(const Profile& profile, double noise = 0, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal(0, 1);
  std::vector<AttentionPoint> points;
  for (const Pass pass : {Pass::forward, Pass::backward}) {
    for (const double rows : {32., 64., 128., 512., 2048.}) {
      for (const double columns : {32., 128., 256., 1024., 2048.}) {
        for (const bool causal : {false, true}) {
          if (causal && rows != columns) continue;
          AttentionPoint p;
          p.pass = pass;
          p.shape = {rows, columns, causal ? rows * (rows + 1) / 2 : rows * columns, causal ? 1 : 0};
          p.heads = {1, 4, 4, 64, 64};
          p.dtype = Dtype::fp32;
          p.source = fmt::format("{} {}x{}{}", name_of(pass), rows, columns, causal ? " causal" : "");
          const double exact_s = in_seconds(CostModel(profile, {p.heads, p.dtype}).attention(pass, p.shape));
          p.time.median_s = exact_s * std::exp(noise * normal(random));
          p.time.low_s = p.time.high_s = p.time.median_s;
          points.push_back(p);
        }
      }
    }
  }
  return points;
}

AttentionGiven given_tiles() {
  AttentionGiven given;
  given.query_tile = 0;
  given.key_tile = 64;
  given.source = "made up";
  return given;
}

void expect_cost(const AttentionCost& fitted, const AttentionCost& expected, double tolerance) {
  EXPECT_NEAR(fitted.saturated.value / expected.saturated.value, 1, tolerance);
  EXPECT_NEAR(fitted.half_depth.value / expected.half_depth.value, 1, tolerance);
  EXPECT_NEAR(fitted.half_rows.value / expected.half_rows.value, 1, tolerance);
}

TEST(FitAttention, FindsTheParametersOfExactPointsAndTheLaunch) {
  const AttentionFit fit = fit_attention(points_of(truth()), given_tiles());
  expect_cost(*fit.forward, truth().forward, 1e-6);
  expect_cost(*fit.backward, truth().backward, 1e-6);
  EXPECT_TRUE(fit.launch_fitted);
  EXPECT_NEAR(in_microseconds(fit.launch.value), 3, 3e-6);
  ASSERT_EQ(fit.reports.size(), 2U);
  for (const FitReport& report : fit.reports) EXPECT_LT(report.worst_residual, 1e-6) << report.name;
  EXPECT_LT(fit.forward->saturated.relative_uncertainty, 1e-6);
  EXPECT_EQ(fit.forward->saturated.source, "made up");
  EXPECT_TRUE(fit.notes.empty());
}

TEST(FitAttention, FindsThemWithTheLaunchGiven) {
  AttentionGiven given = given_tiles();
  given.launch = truth().launch;
  const AttentionFit fit = fit_attention(points_of(truth()), given);
  expect_cost(*fit.forward, truth().forward, 1e-6);
  expect_cost(*fit.backward, truth().backward, 1e-6);
  EXPECT_FALSE(fit.launch_fitted);
}

TEST(FitAttention, StatedUncertaintyHoldsTheTruth) {
  // 95 % intervals of three parameters of two passes under 2 % noise, in 50 repetitions: 285 of 300 are expected to hold
  // the truth. The three of a fit go together, so the count scatters like that of 100 independent ones, by
  // 300·√(0.95·0.05/100) = 6.5; three of these are allowed. The rate's interval has the scatter in it and is wider.
  int held = 0;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    AttentionGiven given = given_tiles();
    given.launch = truth().launch;
    const AttentionFit fit = fit_attention(points_of(truth(), 0.02, seed), given);
    const auto count = [&](double fitted, double uncertainty, double expected) {
      if (std::abs(expected / fitted - 1) <= uncertainty) ++held;
    };
    for (const auto& [found, expected] :
         {std::pair(*fit.forward, truth().forward), std::pair(*fit.backward, truth().backward)}) {
      count(in_flop_per_second(found.saturated.value), found.saturated.relative_uncertainty,
            in_flop_per_second(expected.saturated.value));
      count(found.half_depth.value, found.half_depth.relative_uncertainty, expected.half_depth.value);
      count(found.half_rows.value, found.half_rows.relative_uncertainty, expected.half_rows.value);
      // 95 % of normal errors of 2 % are below 3.9 %; the uncertainty says not much more than that.
      EXPECT_LT(found.saturated.relative_uncertainty, 0.07);
    }
  }
  EXPECT_GE(held, 265);
}

TEST(FitAttention, SquareKernelsDoNotTellRowsFromDepth) {
  // (n + r)(n + d) stays the same when r and d change places: half_rows is kept, and the note says why.
  std::vector<AttentionPoint> square;
  for (const AttentionPoint& p : points_of(truth())) {
    if (p.shape.rows == p.shape.columns) square.push_back(p);
  }
  AttentionGiven given = given_tiles();
  given.launch = truth().launch;
  given.base_forward = truth().forward;
  const AttentionFit fit = fit_attention(square, given);
  EXPECT_EQ(fit.forward->half_rows.value, 25);  // the base's
  EXPECT_NEAR(fit.forward->half_depth.value, 40, 4e-5);
  EXPECT_EQ(fit.backward->half_rows.value, 0);  // no base
  ASSERT_EQ(fit.notes.size(), 2U);
  EXPECT_EQ(fit.notes[0],
            "half_rows of the forward pass: not determined (it needs 4 points in which rows and columns are not always "
            "in the same ratio); 25 tokens is kept from the base profile");
  EXPECT_FALSE(fit.reports[0].parameters[2].fitted);
}

TEST(FitAttention, PointsOfOneShapeGiveARateOnly) {
  // Five times the same kernel, 2·10⁹ FLOP in 0.1 s: 20 GFLOP/s with neither fill nor launch.
  AttentionPoint p;
  p.shape = {1000, 1000, 1e6, 0};
  p.heads = {1, 5, 5, 100, 100};
  p.time = {0.1, 0.09, 0.11, 20};
  p.source = "the same";
  AttentionGiven given = given_tiles();
  given.launch = Calibrated<Duration>{};
  const AttentionFit fit = fit_attention(std::vector<AttentionPoint>(5, p), given);
  EXPECT_NEAR(in_flop_per_second(fit.forward->saturated.value), 20e9, 1);
  EXPECT_EQ(fit.forward->half_depth.value, 0);
  EXPECT_EQ(fit.forward->half_rows.value, 0);
  EXPECT_FALSE(fit.backward.has_value());
  EXPECT_EQ(fit.notes.size(), 2U);
  // The points agree to the last bit but are known to 10 % each; five of them together to 10 %/√5.
  EXPECT_NEAR(fit.forward->saturated.relative_uncertainty, 0.1 / std::sqrt(5.0), 1e-6);
}

TEST(FitAttention, WhatIsNotOfTheFormShowsAsResidual) {
  // One kernel three times as slow as the rest say: it must be named, with about −2/3.
  std::vector<AttentionPoint> points = points_of(truth());
  points[7].time.median_s *= 3;
  AttentionGiven given = given_tiles();
  given.launch = truth().launch;
  const AttentionFit fit = fit_attention(points, given);
  const FitReport& forward = fit.reports[0];
  EXPECT_EQ(forward.worst_point, points[7].source);
  EXPECT_NEAR(forward.worst_residual, 2.0 / 3, 0.1);
  EXPECT_EQ(forward.residuals.size(), points.size() / 2);
}

TEST(FitAttention, PublishedPointsGiveTheShippedProfile) {
  const Profile shipped =
      scenarios::read_scenario_text(
          "name: probe\nmodel: llama3-8b\nworkload: {tokens: 16}\ncluster: dgx-h100\nprofile: h100-sxm\n", "probe.yaml",
          ".", {})
          .profile;
  AttentionGiven given;
  given.launch = shipped.launch;
  given.query_tile = shipped.query_tile;
  given.key_tile = shipped.key_tile;
  given.multiprocessors = shipped.multiprocessors;
  given.known_forward = shipped.forward;
  given.known_backward = shipped.backward;
  const std::string file = "h100-flash-attention-3.csv";
  std::ifstream rows(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/library/profiles/sources/" + file);
  std::stringstream text;
  text << rows.rdbuf();
  const std::vector<AttentionPoint> points = import_points(file, text.str(), {}).attention;
  ASSERT_EQ(points.size(), 36U);
  const AttentionFit fit = fit_attention(points, given);
  for (const auto& [found, expected] :
       {std::pair(*fit.forward, shipped.forward), std::pair(*fit.backward, shipped.backward)}) {
    // A profile keeps five digits.
    EXPECT_NEAR(found.saturated.value / expected.saturated.value, 1, 1e-4);
    EXPECT_NEAR(found.half_depth.value / expected.half_depth.value, 1, 1e-4);
    EXPECT_EQ(found.half_rows.value, 0);  // square kernels
  }
  // As the profile's header says: median 3.3 % and worst 25 % forward, 1.5 % and 6 % backward.
  EXPECT_NEAR(fit.reports[0].median_residual, 0.033, 0.0005);
  EXPECT_NEAR(std::abs(fit.reports[0].worst_residual), 0.25, 0.005);
  EXPECT_NEAR(fit.reports[1].median_residual, 0.015, 0.0005);
}

TEST(LeastSquares, StudentsFactorIsThatOfTheTables) {
  EXPECT_NEAR(student_95(1), 12.706, 1e-3);
  EXPECT_NEAR(student_95(5), 2.571, 1e-3);
  EXPECT_NEAR(student_95(10), 2.228, 0.005);
  EXPECT_NEAR(student_95(30), 2.042, 0.002);
}

TEST(LeastSquares, KeepsBoundsAndStatesErrorsOfAStraightLine) {
  // y = 1 + 2x at 0, 1, 2, 3, off by +1, −1, −1, +1, which is orthogonal to both columns: the line is found, |r|² = 4,
  // σ² = 4/2, and the slope's error is √(σ²/Σ(x − 1.5)²) = √(2/5).
  const auto residuals = [](const Eigen::VectorXd& p) {
    const Eigen::Array4d x(0, 1, 2, 3);
    const Eigen::Array4d y = 1 + 2 * x + Eigen::Array4d(1, -1, -1, 1);
    return Eigen::VectorXd((p(0) + p(1) * x - y).matrix());
  };
  const Solution free = least_squares(residuals, {{0, 1, -10}, {0, 1, -10}});
  EXPECT_TRUE(free.converged);
  EXPECT_NEAR(free.values(0), 1, 1e-9);
  EXPECT_NEAR(free.values(1), 2, 1e-9);
  EXPECT_NEAR(free.sum_of_squares, 4, 1e-9);
  EXPECT_NEAR(free.standard_error(1), std::sqrt(0.4), 1e-6);
  // With the constant at least 3, the slope is Σx(y − 3)/Σx² = (Σxy − 3Σx)/14 = (34 − 18)/14.
  const Solution bounded = least_squares(residuals, {{5, 1, 3}, {0, 1, -10}});
  EXPECT_TRUE(bounded.at_bound[0]);
  EXPECT_DOUBLE_EQ(bounded.values(0), 3);
  EXPECT_NEAR(bounded.values(1), 16.0 / 14, 1e-9);
  EXPECT_EQ(bounded.standard_error(0), 0);
}

TEST(LeastSquares, WhatTheResidualsLeaveOpenHasAnInfiniteError) {
  // Only the sum of the two is seen.
  const auto residuals = [](const Eigen::VectorXd& p) {
    return Eigen::VectorXd(Eigen::Vector3d(p(0) + p(1) - 1, p(0) + p(1) - 2, p(0) + p(1) - 3));
  };
  const Solution solution = least_squares(residuals, {{0, 1, -10}, {0, 1, -10}});
  EXPECT_NEAR(solution.values.sum(), 2, 1e-9);
  EXPECT_TRUE(std::isinf(solution.standard_error(0)));
  EXPECT_TRUE(std::isinf(solution.standard_error(1)));
}

}  // namespace
}  // namespace ringsim::calibrate
