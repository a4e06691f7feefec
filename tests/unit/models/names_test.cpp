#include "models/names.hpp"

#include <gtest/gtest.h>

namespace ringsim {
namespace {

TEST(Names, EditDistance) {
  EXPECT_EQ(edit_distance("ring", "ring"), 0U);
  EXPECT_EQ(edit_distance("rign", "ring"), 1U);  // neighbours swapped
  EXPECT_EQ(edit_distance("Ring", "ring"), 0U);
  EXPECT_EQ(edit_distance("", "ring"), 4U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Names, HintsNameTheNearest) {
  EXPECT_EQ(name_hint("rign", {"tensor", "ring", "data"}, "known keys"), "did you mean ring?");
  EXPECT_EQ(name_hint("h100", {"a100-sxm", "h100-pcie", "h100-sxm"}, "it has"), "did you mean h100-pcie or h100-sxm?");
  EXPECT_EQ(name_hint("zebra", {"tensor", "ring"}, "known keys"), "known keys: tensor, ring");
}

}  // namespace
}  // namespace ringsim
