#include "calibrate/fit/rounded.hpp"

#include <gtest/gtest.h>

namespace ringsim::calibrate {
namespace {

// Five digits of 25.336710690667645 GFLOP/s are 25.337; two digits of 8.609 %, never down, are 8.7 %.
TEST(Rounded, KeepsFiveDigitsAndNeverClaimsMoreThanIsKnown) {
  Profile p;
  p.forward.saturated = {flop_per_second(25.336710690667645e9), 0.08609, Origin::measured, ""};
  p.launch = {seconds(862.2894775604563e-9), 0.0516, Origin::measured, ""};
  p.links["host-memory"].efficiency = {0.04668016681521872, 0.041, Origin::measured, ""};
  p.links["host-memory"].by_size = {{bytes(256), 0.0229989147919103}};
  p.sm_kernel = Interference{{0.2147411139516368, 0.9, Origin::measured, ""}, {1.0, 0.0, Origin::measured, ""}};
  const Profile r = rounded(p);
  EXPECT_DOUBLE_EQ(in_flop_per_second(r.forward.saturated.value), 25.337e9);
  EXPECT_DOUBLE_EQ(r.forward.saturated.relative_uncertainty, 0.087);
  EXPECT_DOUBLE_EQ(in_seconds(r.launch.value), 862.29e-9);
  EXPECT_DOUBLE_EQ(r.launch.relative_uncertainty, 0.052);
  EXPECT_DOUBLE_EQ(r.links.at("host-memory").efficiency.value, 0.04668);
  EXPECT_DOUBLE_EQ(r.links.at("host-memory").efficiency.relative_uncertainty, 0.041);  // has two digits as it is
  EXPECT_DOUBLE_EQ(r.links.at("host-memory").by_size[0].efficiency, 0.022999);
  EXPECT_DOUBLE_EQ(r.sm_kernel->compute_share.value, 0.21474);
  EXPECT_EQ(r.sm_kernel->transfer_share.value, 1.0);
  EXPECT_EQ(r.backward.half_depth.value, 0.0);
}

// 256 B at 18.98305 % and 1 KiB at 75.9325 % take about the same time. Rounded up to 18.983 % and 75.933 %, the larger would be the
// faster, since 4 × 18.983 = 75.932: a profile that its reader refuses.
TEST(Rounded, LeavesTimesThatDoNotFallWithSize) {
  Profile p;
  p.links["host-memory"].by_size = {{bytes(256), 0.1898305}, {bytes(1024), 0.759325}, {bytes(4096), 0.76}};
  const Profile rounded_profile = rounded(p);
  const auto& knots = rounded_profile.links.at("host-memory").by_size;
  EXPECT_DOUBLE_EQ(knots[0].efficiency, 0.18983);
  EXPECT_LE(knots[1].efficiency, 0.75932);
  EXPECT_GE(knots[1].efficiency, 0.75930);
  for (std::size_t i = 1; i < knots.size(); ++i) {
    EXPECT_GE(in_bytes(knots[i].size) / knots[i].efficiency, in_bytes(knots[i - 1].size) / knots[i - 1].efficiency);
  }
}

}  // namespace
}  // namespace ringsim::calibrate
