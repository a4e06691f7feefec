// GPU-hours, money and energy of used and of idle GPUs.
#include "models/spending.hpp"

#include "tests/unit/models/shapes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim {
namespace {

using testing::HasSubstr;

TEST(Spending, CountsUsedAndIdleGpusApart) {
  // 8 of 16 GPUs for an hour at 2 an hour. They compute half of the time: 100 + (700 - 100)/2 = 400 W each, 3.2 kWh, 0.8 at 0.25.
  Scenario s = shapes::scenario(shapes::llama3_8b(), 8192, 8, Layout::zigzag);
  s.cluster.nodes = 2;
  s.price_per_gpu_hour = 2.0;
  s.price_per_kilowatt_hour = 0.25;
  s.cluster.gpu.power = watts(700);
  s.cluster.gpu.idle_power = watts(100);
  s.cluster.gpu.sources["power"] = "data sheet";
  const Spending spent = spending_of(s, seconds(3600), 0.5);
  EXPECT_DOUBLE_EQ(spent.gpu_hours, 8);
  EXPECT_DOUBLE_EQ(spent.idle_gpu_hours, 8);
  EXPECT_DOUBLE_EQ(spent.cost.value(), 16);
  EXPECT_DOUBLE_EQ(spent.idle_cost.value(), 16);
  EXPECT_DOUBLE_EQ(in_kilowatt_hours(spent.energy.value()), 3.2);
  EXPECT_DOUBLE_EQ(in_kilowatt_hours(spent.idle_energy.value()), 0.8);
  EXPECT_DOUBLE_EQ(spent.energy_cost.value(), 0.8);
  EXPECT_THAT(spent.energy_source, HasSubstr("data sheet"));
}

TEST(Spending, IsAnUpperBoundWithoutAnIdlePowerAndNothingWithoutAny) {
  Scenario s = shapes::scenario(shapes::llama3_8b(), 8192, 8, Layout::zigzag);
  EXPECT_FALSE(spending_of(s, seconds(3600), 0.5).energy);
  s.cluster.gpu.power = watts(700);
  const Spending spent = spending_of(s, seconds(3600), 0.5);
  EXPECT_DOUBLE_EQ(in_kilowatt_hours(spent.energy.value()), 5.6);
  EXPECT_THAT(spent.energy_source, HasSubstr("upper bound"));
  EXPECT_FALSE(spent.idle_energy);
  EXPECT_FALSE(spent.energy_cost);
}

}  // namespace
}  // namespace ringsim
