// Seconds of matrix products and passes over memory, by hand from peaks and bytes.
#include "models/dense_cost.hpp"

#include "models/block/layer.hpp"
#include "tests/unit/models/shapes.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ringsim {
namespace {

Gemm square(double rows) {
  Gemm gemm;
  gemm.rows = {0, rows};
  gemm.columns = 8192;
  gemm.depth = 8192;
  return gemm;
}

DenseCosts peaks() { return {datasheet_profile(shapes::h100(), Dtype::bf16), shapes::h100()}; }

double seconds_of(const DenseCosts& costs, const Gemm& gemm) { return in_seconds(costs.time(gemm, 0, 1)); }

TEST(GemmTime, OfManyRowsIsFlopOverThePeak) {
  // 2 · 8192³ FLOP at 989 TFLOP/s; 3 · 8192² elements of 2 B would take 0.12 ms of its 1.11.
  EXPECT_DOUBLE_EQ(seconds_of(peaks(), square(8192)), 2 * std::pow(8192.0, 3) / 989e12);
  EXPECT_FALSE(peaks().calibrated());
}

TEST(GemmTime, OfOneRowIsReadingTheWeights) {
  // 8192² weights of 2 B, a row in and a row out, at 3350 GB/s: 40 us, of which the product needs 0.14.
  EXPECT_DOUBLE_EQ(seconds_of(peaks(), square(1)), 2 * (8192.0 * 8192 + 2 * 8192) / 3350e9);
  Gemm short_weights = square(1);
  short_weights.matrix_bytes = 0.5;  // stored in 4 bits
  EXPECT_DOUBLE_EQ(seconds_of(peaks(), short_weights), (0.5 * 8192 * 8192 + 2 * 2 * 8192) / 3350e9);
}

TEST(GemmTime, OfAProfileHasALaunchAndAFill) {
  Profile p = datasheet_profile(shapes::h100(), Dtype::bf16);
  p.launch.value = microseconds(5);
  p.gemm = GemmCost{{teraflop_per_second(800), 0, Origin::measured, ""}, {256, 0, Origin::measured, ""}};
  p.memory_bandwidth = {gigabytes_per_second(2500), 0, Origin::measured, ""};
  const DenseCosts costs(p, shapes::h100());
  EXPECT_TRUE(costs.calibrated());
  // 1024 rows at a half_rows of 256: a quarter longer than at 800 TFLOP/s.
  EXPECT_DOUBLE_EQ(seconds_of(costs, square(1024)), 5e-6 + 1.25 * 2 * 1024 * 8192.0 * 8192 / 800e12);
  EXPECT_DOUBLE_EQ(in_seconds(costs.time(Elementwise{"norm", {1, 0}, bytes(16384), bytes(1e6)}, 100, 2)),
                   5e-6 + (16384 * 200 + 1e6) / 2500e9);
  EXPECT_EQ(costs.time(square(0), 0, 1), Duration{}) << "nothing is launched for nothing";
}

TEST(GemmTime, OfFp8HasItsOwnRateAndWritesBf16) {
  Gemm gemm = square(8192);
  gemm.dtype = Dtype::fp8;
  EXPECT_DOUBLE_EQ(seconds_of(peaks(), gemm), 2 * std::pow(8192.0, 3) / 1979e12);
  Gemm one = square(1);
  one.dtype = Dtype::fp8;
  EXPECT_DOUBLE_EQ(seconds_of(peaks(), one), (8192.0 * 8192 + 8192 + 2 * 8192) / 3350e9);
}

TEST(Experts, WorkOnlyWhereATokenVisitsThem) {
  // One token visits 8 of 128 experts, and no other's weights are read. A second one visits 8 as well, of which half an expert
  // on average is among the first 8: 128 · (1 - (120/128)²) = 15.5. Ten thousand tokens leave none out.
  Gemm gemm = square(0);
  gemm.count = 128;
  gemm.visits = 8;
  EXPECT_DOUBLE_EQ(working_products(gemm, 8), 8.0);
  EXPECT_DOUBLE_EQ(working_products(gemm, 16), 15.5);
  EXPECT_DOUBLE_EQ(working_products(gemm, 80000), 128.0);
  // A rank that holds 2 of them and gets 8 rows of 64 tokens: an eighth of a visit each, of 2 experts.
  gemm.count = 2;
  gemm.visits = 8.0 / 64;
  EXPECT_DOUBLE_EQ(working_products(gemm, 8), 2 * (1 - std::pow(1 - 1.0 / 16, 64)));
  EXPECT_DOUBLE_EQ(working_products(square(1), 1), 1.0);
}

TEST(DecodeStep, ReadsAllWeightsOnce) {
  // Llama-3-8B, one sequence: 32 layers of 218,103,808 weights of 2 B at 3350 GB/s are 4.17 ms; activations are a thousandth.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 65536, 1, Layout::zigzag);
  s.workload.phase = Phase::decode;
  double step_s = 0;
  const LayerSteps steps = layer_forward(block_shape(s, 1), 0);
  for (const auto& list : {steps.before, steps.after}) {
    for (const BlockStep& step : list) step_s += 32 * in_seconds(peaks().time(std::get<DenseWork>(step), 1, 1));
  }
  const double weights_s = 32 * 218103808.0 * 2 / 3350e9;
  EXPECT_GT(step_s, weights_s);
  EXPECT_LT(step_s, 1.002 * weights_s);
  // Weights stored in fp8 are read in half the time.
  s.model.weight_bytes_per_parameter = 1;
  EXPECT_DOUBLE_EQ(block_shape(s, 1).weight, 1.0);
  s.workload.phase = Phase::train;
  EXPECT_DOUBLE_EQ(block_shape(s, 1).weight, 2.0) << "training has the workload's format";
}

}  // namespace
}  // namespace ringsim
