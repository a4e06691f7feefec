// A scatter plot as text: where its points are, and what keeps it readable.
#include "reports/svg_scatter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ringsim::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// From 10 to 1,000 there are two decades on 480 pixels. 100 is in the middle of both axes: 240 pixels from the frame's left (at 70)
// and upper (at 16) sides.
TEST(SvgScatter, DrawsPointsOnEqualLogarithmicAxes) {
  const std::string svg = render_svg({"t", "x [s]", "y [s]", 0.1, {{"a", {{10, 1000}, {100, 100}}}}});
  EXPECT_THAT(svg, HasSubstr("cx=\"310.0\" cy=\"256.0\""));
  EXPECT_THAT(svg, HasSubstr("cx=\"70.0\" cy=\"16.0\""));
  EXPECT_THAT(svg, HasSubstr("class=\"band\""));
  EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark"));
  EXPECT_THAT(render_svg({"t", "x", "y", 0, {{"a", {{10, 10}}}}}), Not(HasSubstr("class=\"band\"")));
}

TEST(SvgScatter, EscapesNamesAndHasAFrameWithoutPoints) {
  const std::string svg = render_svg({"a < b & c", "x", "y", 0.1, {}});
  EXPECT_THAT(svg, HasSubstr("<title>a &lt; b &amp; c</title>"));
  EXPECT_TRUE(svg.ends_with("</svg>\n"));
}

}  // namespace
}  // namespace ringsim::reports
