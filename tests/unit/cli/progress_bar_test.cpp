#include "cli/progress_bar.hpp"

#include <gtest/gtest.h>

namespace ringsim::cli {
namespace {

// 24 columns of eighths: a half is 12 full ones; 1/64 of the bar is 3 eighths of the first.
TEST(ProgressLine, ShowsEighthsOfAColumn) {
  EXPECT_EQ(progress_line(0.5, "merge", 80), "│████████████            │  50 %  merge");
  EXPECT_EQ(progress_line(1.0 / 64, "", 80), "│▍                       │   1 %  ");
  EXPECT_EQ(progress_line(1.0, "", 80), "│████████████████████████│ 100 %  ");
}

TEST(ProgressLine, StaysWithinTheTerminalAndTheBar) {
  // 26 columns of bar, 8 of percent, one left free: 5 of 40 for the name.
  EXPECT_EQ(progress_line(0.0, "attention", 40), "│                        │   0 %  atten");
  EXPECT_EQ(progress_line(7.0, "", 10), "│████████████████████████│ 100 %  ");
  EXPECT_EQ(progress_line(-1.0, "", 10), "│                        │   0 %  ");
}

}  // namespace
}  // namespace ringsim::cli
