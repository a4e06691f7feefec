#include "calibrate/measure_job.hpp"

#include "models/error.hpp"

#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

TEST(MeasureJob, ComesBackAsItWasSent) {
  const MeasureJob sent{"name: \"x\"\n", 1, 7, 2.5, true, 18446744073709551615U};
  const MeasureJob got = measure_job_of(to_json(sent));
  EXPECT_EQ(got.scenario_yaml, sent.scenario_yaml);
  EXPECT_EQ(got.warmup, 1);
  EXPECT_EQ(got.repeats, 7);
  EXPECT_EQ(got.max_seconds, 2.5);
  EXPECT_TRUE(got.check);
  EXPECT_EQ(got.seed, sent.seed);
}

// Times are compared with each other: they must come back to the last bit.
TEST(MeasureAnswer, KeepsEveryBitOfEveryTime) {
  MeasureAnswer sent;
  sent.recordings = {{{{0.1, 1.0 / 3.0, 123456.78900000001}}, {{2e-9, 3e-9, 0}}}};
  sent.check_error = {{"O", 1.25e-7}};
  sent.software = "Eigen";
  const MeasureAnswer got = measure_answer_of(to_json(sent));
  ASSERT_EQ(got.recordings.size(), 1U);
  ASSERT_EQ(got.recordings[0].size(), 2U);
  EXPECT_EQ(got.recordings[0][0][0].end_s, 1.0 / 3.0);
  EXPECT_EQ(got.recordings[0][0][0].received_s, 123456.78900000001);
  EXPECT_EQ(got.recordings[0][1][0].begin_s, 2e-9);
  EXPECT_EQ(got.check_error, sent.check_error);
}

TEST(MeasureAnswer, AnythingElseIsAnError) {
  EXPECT_THROW((void)measure_answer_of("{}"), Error);
  EXPECT_THROW((void)measure_answer_of("no JSON"), Error);
  EXPECT_THROW((void)measure_job_of("{\"job\": 3}"), Error);
}

// fp32 rounds at 6e-8 and errors of a few thousand additions stay below 1e-5; fp64 likewise below 1e-12. One result
// that is off is enough; without any result nothing has passed.
TEST(CheckOutcome, OneResultOutsideOfRoundingFails) {
  EXPECT_TRUE(check_outcome(Dtype::fp32, {{"O", 9e-6}, {"dQ", 1e-7}}).passed);
  EXPECT_FALSE(check_outcome(Dtype::fp32, {{"O", 1.1e-5}, {"dQ", 1e-7}}).passed);
  EXPECT_FALSE(check_outcome(Dtype::fp64, {{"O", 1e-7}}).passed);
  EXPECT_FALSE(check_outcome(Dtype::fp64, {}).passed);
}

}  // namespace
}  // namespace ringsim::calibrate
