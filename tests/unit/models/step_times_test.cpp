// What a ring step's compute consists of, pass by pass.
#include "models/step_times.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

// A head of one element: bf16 partials (2 B) into fp32 accumulators. 1 FLOP/s and 1 B/s: seconds are amounts.
CostModel costs(Rotation backward) {
  Profile p;
  p.forward.saturated.value = p.backward.saturated.value = flop_per_second(1);
  p.key_tile = 0;
  p.merge_traffic.value = 1;
  p.merge_bandwidth.value = bytes_per_second(1);
  return {p, RingShape{{1, 1, 1, 1, 1}, Dtype::bf16, GradientDtype::bf16, Rotation::kv, backward}};
}
constexpr AttendShape kernel{3, 5, 15, 0};

TEST(StepTimes, ForwardMergesTheRowsOfTheOutput) {
  // 15 pairs of 4 FLOP. A row of output: read 4 B, add 2 B, write 4 B and three statistics of 4 B: 22 B.
  const StepTimes t = step_times(costs(Rotation::kv), Pass::forward, kernel, false);
  EXPECT_NEAR(in_seconds(t.kernel), 60, 1e-12);
  EXPECT_NEAR(in_seconds(t.merge), 3 * 22, 1e-12);
  EXPECT_EQ(in_seconds(t.add), 0.0);
  EXPECT_NEAR(in_seconds(t.all()), 126, 1e-12);
}

TEST(StepTimes, BackwardAddsBothGradientsWhoeverTravels) {
  // 15 pairs of 10 FLOP. dQ has rows, dK and dV (two elements) columns. What stays is fp32: 4 + 2 + 4 = 10 B an element;
  // what travels bf16: 2 + 2 + 2 = 6 B.
  const StepTimes keys = step_times(costs(Rotation::kv), Pass::backward, kernel, false);
  EXPECT_NEAR(in_seconds(keys.kernel), 150, 1e-12);
  EXPECT_NEAR(in_seconds(keys.merge), 3 * 10, 1e-12);
  EXPECT_NEAR(in_seconds(keys.add), 5 * 2 * 6, 1e-12);
  const StepTimes queries = step_times(costs(Rotation::q), Pass::backward, kernel, false);
  EXPECT_NEAR(in_seconds(queries.merge), 5 * 2 * 10, 1e-12);
  EXPECT_NEAR(in_seconds(queries.add), 3 * 6, 1e-12);
}

TEST(StepTimes, AFirstOrMaskedStepMergesNothing) {
  EXPECT_EQ(in_seconds(step_times(costs(Rotation::kv), Pass::backward, kernel, true).all()), 150.0);
  EXPECT_EQ(in_seconds(step_times(costs(Rotation::kv), Pass::forward, {3, 5, 0, 0}, false).all()), 0.0);
}

}  // namespace
}  // namespace ringsim
