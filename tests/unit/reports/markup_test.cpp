// Names from users' files in a page: they show as they are and do nothing.
#include "reports/markup.hpp"

#include <gtest/gtest.h>

namespace ringsim::reports {
namespace {

// Neither an element nor an attribute can begin or end with what comes out: no < > " ' is left, and no & but of a reference.
TEST(Markup, LeavesNoWayOutOfAnElementOrAnAttribute) {
  EXPECT_EQ(escape_markup("<script>alert('x')</script>"), "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;");
  EXPECT_EQ(escape_markup("\" onload=\"&amp;"), "&quot; onload=&quot;&amp;amp;");
}

TEST(Markup, KeepsWhatIsUtf8) {
  EXPECT_EQ(escape_markup("Größe 🚀 環 a\tb\nc"), "Größe 🚀 環 a\tb\nc");
  EXPECT_EQ(escape_markup("a\r\nb\rc\r"), "a\nb\nc\n");
}

// XML has no place for most control characters, not even as references: a replacement character shows that something was there.
TEST(Markup, ReplacesWhatNoDocumentMayHold) {
  const std::string lost = "\xEF\xBF\xBD";
  using namespace std::string_view_literals;
  EXPECT_EQ(escape_markup("a\0b\x1B[31m\x7F"sv), "a" + lost + "b" + lost + "[31m" + lost);
  EXPECT_EQ(escape_markup("\xC2\x85"), lost);            // NEL, a control character of two bytes
  EXPECT_EQ(escape_markup("\xEF\xBF\xBE"), lost);        // U+FFFE
  EXPECT_EQ(escape_markup("a\xFFz"), "a" + lost + "z");  // never in UTF-8
  EXPECT_EQ(escape_markup("\xC0\xBC"), lost + lost);     // "<" in two bytes: not UTF-8, and no way around the escape
  EXPECT_EQ(escape_markup("\xED\xA0\x80"), lost + lost + lost);             // half of a surrogate pair
  EXPECT_EQ(escape_markup("\xF0\x9F\x9A"), lost + lost + lost);             // an emoji cut short
  EXPECT_EQ(escape_markup("\xF4\x90\x80\x80"), lost + lost + lost + lost);  // beyond U+10FFFF
}

}  // namespace
}  // namespace ringsim::reports
