// Terminal width, tables and colour.

#include "reports/display.hpp"
#include "reports/style.hpp"
#include "reports/table.hpp"

#include <gtest/gtest.h>

namespace ringsim::reports {
namespace {

TEST(Display, WidthCountsColumnsNotBytes) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("10 → 11 ×"), 9U);
  EXPECT_EQ(display_width("e\xCC\x81"), 1U);         // e and a combining acute
  EXPECT_EQ(display_width("\xE6\xBC\xA2"), 2U);      // a Chinese character
  EXPECT_EQ(display_width("\xF0\x9F\x9A\x80"), 2U);  // an emoji
  EXPECT_EQ(display_width("\xFF"), 1U);              // no UTF-8 at all
}

TEST(Display, ControlCharactersDoNotReachTheTerminal) { EXPECT_EQ(printable("a\x1b[31m\tb\n"), "a?[31m b "); }

TEST(Display, WrapBreaksAtSpacesAndIndents) {
  EXPECT_EQ(wrap("one two three four five six seven", 30, 4), "one two three four five\n    six seven");
}

TEST(Display, WrapKeepsANumberWithItsUnit) {
  EXPECT_EQ(wrap("between eighteen and 18.00 s", 26, 0), "between eighteen and\n18.00 s");
}

TEST(Table, AlignsByWidthOnScreen) {
  const Grid grid{{{"", Align::left}, {"time", Align::right}}, {{"×→×", "1 s"}, {"long label", "123 ms"}}};
  EXPECT_EQ(text_table(grid, 2, Style{}),
            "                time\n"
            "  ×→×            1 s\n"
            "  long label  123 ms\n");
}

TEST(Table, LinesHaveNoTrailingSpaces) {
  const Grid grid{{{"a", Align::left}, {"b", Align::left}}, {{"x", ""}, {"yyy", "z"}}};
  EXPECT_EQ(text_table(grid, 0, Style{}).find(" \n"), std::string::npos);
}

TEST(Table, MarkdownAlignsNumbersAndEscapesPipes) {
  const Grid grid{{{"name", Align::left}, {"size", Align::right}}, {{"a|b_c", "1"}}};
  EXPECT_EQ(markdown_table(grid), "| name | size |\n| --- | --: |\n| a\\|b\\_c | 1 |\n");
}

TEST(Style, ColorNeedsATerminalAndNoRefusal) {
  EXPECT_TRUE(use_color(ColorChoice::automatic, true, nullptr, "xterm"));
  EXPECT_TRUE(use_color(ColorChoice::automatic, true, "", "xterm")) << "an empty NO_COLOR does not count";
  EXPECT_FALSE(use_color(ColorChoice::automatic, true, "1", "xterm"));
  EXPECT_FALSE(use_color(ColorChoice::automatic, true, nullptr, "dumb"));
  EXPECT_FALSE(use_color(ColorChoice::automatic, false, nullptr, "xterm"));
}

TEST(Style, TheOptionWinsOverTheEnvironment) {
  EXPECT_TRUE(use_color(ColorChoice::always, false, "1", "dumb"));
  EXPECT_FALSE(use_color(ColorChoice::never, true, nullptr, "xterm"));
}

TEST(Style, PlainTextStaysPlain) {
  EXPECT_EQ(Style{false}.bad("x"), "x");
  EXPECT_EQ(Style{true}.bad("x"), "\x1b[31mx\x1b[0m");
}

}  // namespace
}  // namespace ringsim::reports
