// Fits of matrix products and collectives: known parameters come back from points made with them.
#include "calibrate/fit/collectives.hpp"
#include "calibrate/fit/gemm.hpp"
#include "calibrate/fit/knots.hpp"
#include "models/dense_cost.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ringsim::calibrate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Timing exactly(double time_s) { return {time_s, time_s, time_s, 10}; }

Profile truth() {
  Profile p;
  p.launch.value = microseconds(5);
  p.gemm = GemmCost{{teraflop_per_second(700)}, {60.0}};
  p.gemm_fp8 = GemmCost{{teraflop_per_second(1300)}, {0.0}};
  p.memory_bandwidth = Calibrated<Bandwidth>{gigabytes_per_second(2500)};
  return p;
}

std::vector<GemmPoint> products(Dtype dtype, const std::vector<std::int64_t>& rows) {
  const DenseCosts costs(truth(), Gpu{});
  std::vector<GemmPoint> points;
  for (const std::int64_t m : rows) {
    for (const std::int64_t side : {4096, 16384}) {
      Gemm gemm;
      gemm.rows = {0, static_cast<double>(m)};
      gemm.columns = gemm.depth = static_cast<double>(side);
      gemm.dtype = dtype;
      points.push_back({m, side, side, dtype, exactly(in_seconds(costs.time(gemm, 0, 1))), "row", "somebody"});
    }
  }
  return points;
}

TEST(FitGemm, FindsRatesRowsAndMemory) {
  // Eight rows of a bf16 product do 8 FLOP a byte of the matrix, far below the 280 at which 700 TFLOP/s meets 2.5 TB/s: they
  // give the memory, thousands of rows the rate, and those between half_rows.
  std::vector<GemmPoint> points = products(Dtype::bf16, {8, 64, 512, 1024, 4096, 32768});
  const std::vector<GemmPoint> fp8 = products(Dtype::fp8, {8, 2048, 32768});
  points.insert(points.end(), fp8.begin(), fp8.end());
  const GemmFit fit = fit_gemm(points, microseconds(5), Origin::published, "unused");
  ASSERT_TRUE(fit.gemm && fit.gemm_fp8 && fit.memory_bandwidth);
  EXPECT_NEAR(fit.gemm->saturated.value / teraflop_per_second(700), 1, 1e-6);
  EXPECT_NEAR(fit.gemm->half_rows.value, 60, 1e-3);
  EXPECT_NEAR(fit.gemm_fp8->saturated.value / teraflop_per_second(1300), 1, 1e-6);
  EXPECT_EQ(fit.gemm_fp8->half_rows.value, 0);
  EXPECT_NEAR(fit.memory_bandwidth->value / gigabytes_per_second(2500), 1, 1e-6);
  EXPECT_LT(fit.gemm->saturated.relative_uncertainty, 1e-6);
  EXPECT_EQ(fit.gemm->saturated.source, "fit to 12 rows of somebody");
  EXPECT_EQ(fit.memory_bandwidth->source, "fit to 18 rows of somebody");
}

TEST(FitGemm, LeavesTheMemoryOutWhereNoProductIsBoundByIt) {
  // From 4,096 rows on a matrix is read once for 4,096 FLOP a byte or more: any bandwidth above 0.2 TB/s gives these times.
  const GemmFit fit =
      fit_gemm(products(Dtype::bf16, {4096, 8192, 16384, 32768}), microseconds(5), Origin::published, "s");
  EXPECT_FALSE(fit.memory_bandwidth.has_value());
  EXPECT_NEAR(fit.gemm->saturated.value / teraflop_per_second(700), 1, 1e-3);
  ASSERT_FALSE(fit.notes.empty());
  EXPECT_THAT(fit.notes[0], HasSubstr("memory_bandwidth"));
}

TEST(FitCollectives, EachKindAndNumberOfRanksHasItsOwnCurve) {
  // An all-reduce of 4 sends 2 · 3/4 of its bytes: 12 us and 1.5 · bytes / (0.8 · 100 GB/s), but half of that rate up to a
  // traffic of 1 MB. An all-gather of 2 sends half: 6 us and 0.5 · bytes / 50 GB/s.
  std::vector<CollectivePoint> points;
  for (const double size : {1e2, 1e3, 1e5, 2e6 / 3, 1e8, 1e9}) {
    const double traffic = 1.5 * size;
    const double flight_s = traffic <= 1e6 ? traffic / 40e9 : 25e-6 + (traffic - 1e6) / 80e9;
    points.push_back({CollectiveKind::all_reduce, "l", 4, size, exactly(12e-6 + flight_s), "row"});
    points.push_back({CollectiveKind::all_gather, "l", 2, size, exactly(6e-6 + 0.5 * size / 50e9), "row"});
  }
  const CollectivesFit fit = fit_collectives(points, {{"l", gigabytes_per_second(100)}}, Origin::published, "log");
  ASSERT_EQ(fit.costs.size(), 2U);
  const CollectiveCost& gather = fit.costs[0];
  EXPECT_EQ(gather.kind, "all-gather");
  EXPECT_EQ(gather.ranks, 2);
  EXPECT_NEAR(in_microseconds(gather.latency.value), 6, 1e-6);
  EXPECT_NEAR(gather.efficiency.value, 0.5, 1e-9);
  EXPECT_EQ(gather.by_size.size(), 2U);  // a straight line needs no more
  const CollectiveCost& reduce = fit.costs[1];
  EXPECT_EQ(reduce.kind, "all-reduce");
  EXPECT_NEAR(in_microseconds(reduce.latency.value), 12, 1e-6);
  // 25 us for the first MB, then 80 GB/s: 1.5 GB take 25 us + 18.7375 ms.
  EXPECT_NEAR(reduce.efficiency.value, 1.5e9 / (25e-6 + (1.5e9 - 1e6) / 80e9) / 100e9, 1e-9);
  ASSERT_EQ(fit.reports.size(), 2U);
  EXPECT_EQ(fit.reports[1].name, "all-reduce of 4 over l");
  EXPECT_LT(fit.reports[1].worst_residual, 0.05);
}

TEST(Knots, AreTheSizesThatTheLineBetweenTheOthersMisses) {
  // 1, 2, 3 s are on a line; 4 is missed by the line from 1 to 5 (5 s against 6), and then nothing is.
  EXPECT_THAT(knots_of({1, 2, 3, 4, 5}, {1, 2, 3, 6, 6}, 0, 0.02, 12), ElementsAre(0, 2, 3, 4));
  // No more than asked for, the worst first: at 3 the line from 1 to 6 has 3.5 s for 3, at 4 it has 4.75 for 6.
  EXPECT_THAT(knots_of({1, 2, 3, 4, 5}, {1, 2, 3, 6, 6}, 0, 0.02, 3), ElementsAre(0, 3, 4));
  // Behind a fixed second of 100 no such error counts.
  EXPECT_THAT(knots_of({1, 2, 3, 4, 5}, {1, 2, 3, 6, 6}, 100, 0.02, 12), ElementsAre(0, 4));
  EXPECT_THAT(knots_of({7}, {1}, 0, 0.02, 12), ElementsAre(0));
}

}  // namespace
}  // namespace ringsim::calibrate
