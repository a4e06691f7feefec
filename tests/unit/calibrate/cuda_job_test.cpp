#include "calibrate/cuda_job.hpp"

#include "models/error.hpp"

#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

// All that the worker is told arrives as it was said, whatever the values.
TEST(CudaMeasureJob, ArrivesAsItWasSent) {
  CudaMeasureJob sent;
  sent.run = {"name: a", 3, 7, 12.5, true, 99};
  sent.kernels = "sm90";
  sent.fused_merge = true;
  sent.graph = true;
  sent.link_bytes_per_s = 4.5e11;
  sent.copy_engine = true;
  sent.transfer_blocks = 16;
  sent.activity = true;
  const CudaMeasureJob got = cuda_measure_job_of(to_json(sent));
  EXPECT_EQ(got.run.scenario_yaml, "name: a");
  EXPECT_EQ(got.run.warmup, 3);
  EXPECT_EQ(got.run.repeats, 7);
  EXPECT_EQ(got.run.max_seconds, 12.5);
  EXPECT_TRUE(got.run.check);
  EXPECT_EQ(got.run.seed, 99U);
  EXPECT_EQ(got.kernels, "sm90");
  EXPECT_TRUE(got.fused_merge);
  EXPECT_TRUE(got.graph);
  EXPECT_EQ(got.link_bytes_per_s, 4.5e11);
  EXPECT_TRUE(got.copy_engine);
  EXPECT_EQ(got.transfer_blocks, 16);
  EXPECT_TRUE(got.activity);
}

// A job for the host has nothing of GPUs in it: not to be run with values that nobody gave.
TEST(CudaMeasureJob, AJobForTheHostIsAnError) {
  EXPECT_THROW(static_cast<void>(cuda_measure_job_of(to_json(MeasureJob{}))), Error);
}

// The verdict by number format: what is right for bf16 (0.5 %) is far off for fp32.
TEST(CheckOutcome, AllowsWhatTheFormatRounds) {
  EXPECT_TRUE(check_outcome(Dtype::bf16, {{"O", 5e-3}}).passed);
  EXPECT_FALSE(check_outcome(Dtype::bf16, {{"O", 2e-2}}).passed);
  EXPECT_FALSE(check_outcome(Dtype::fp32, {{"O", 5e-3}}).passed);
}

}  // namespace
}  // namespace ringsim::calibrate
