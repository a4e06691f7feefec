// A page as text: what is escaped, what can be looked up, what is folded.
#include "reports/html/page.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ringsim::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

HtmlPage page_named(const std::string& title) {
  HtmlPage page;
  page.title = title;
  page.kind = "Prediction";
  page.answer = "Takes " + title;
  page.figures = {{"time", "makespan_s", 0.1, "100.0 ms", ""}};
  page.result_json = R"({"makespan_s": 0.1, "name": "</script><b>"})";
  page.command = "ringsim run " + title;
  page.made_by = "ringsim";
  return page;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++found;
  return found;
}

// The name may stand in the title, the heading, the answer and the command: nowhere may it be markup. The one script element is the
// result, which is of a type that no browser runs, and in which a "<" can only be within a string: there it is \u003c.
TEST(HtmlPage, WhatUsersWriteIsTextAndNothingElse) {
  const std::string name = R"(<script>alert(1)</script>"'& 🚀)";
  const std::string html = render_html(page_named(name));
  EXPECT_EQ(count(html, "<script"), 1U);
  EXPECT_EQ(count(html, "</script"), 1U);
  EXPECT_THAT(html, Not(HasSubstr("alert(1)</script>")));
  EXPECT_THAT(html, HasSubstr("<h1>&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(html, HasSubstr("🚀"));
  EXPECT_THAT(html, HasSubstr(R"("name": "\u003c/script>\u003cb>")"));
}

// A tenth is no binary fraction: the shortest text that reads back as the same number is 0.1.
TEST(HtmlPage, FiguresNameTheirPlaceInTheResultAndAreExact) {
  EXPECT_THAT(render_html(page_named("a")), HasSubstr(R"(<data data-key="makespan_s" value="0.1">100.0 ms</data>)"));
}

TEST(HtmlPage, SectionsWithoutBlocksAreLeftOutAndOthersAreLinked) {
  HtmlPage page = page_named("a");
  add_section(page, {"empty", "Nothing to say", "", {}});
  add_section(page, warnings_of({}));
  add_section(page, warnings_of({"hot & loud"}));
  add_section(page, {"more", "More", "a note", {Paragraph{"text"}}, "All of it"});
  EXPECT_EQ(page.sections.size(), 2U);
  EXPECT_THAT(render_html(page), Not(HasSubstr("<nav")));  // two are seen at once
  add_section(page, {"last", "Last", "", {Fields{{"key", "value"}}}});
  const std::string html = render_html(page);
  EXPECT_THAT(html, HasSubstr(R"(<a href="#more">More</a>)"));
  EXPECT_THAT(html, HasSubstr(R"(<h2 id="more">More <small>a note</small></h2>)"));
  EXPECT_THAT(html, HasSubstr("<details><summary>All of it</summary>\n<p>text</p>\n</details>"));
  EXPECT_THAT(html, HasSubstr("<li>hot &amp; loud</li>"));
  EXPECT_THAT(html, HasSubstr("<dt>key</dt><dd>value</dd>"));
}

// Every chart: a drawing for wide and one for narrow pages, whose ids differ, and a table with the number itself.
TEST(HtmlPage, AChartIsTwoDrawingsAndATable) {
  HtmlPage page = page_named("a");
  BarChart chart{.words = {"Time < that", "what is seen"},
                 .row_header = "rank",
                 .rows = {"rank 0"},
                 .value = {"time", Quantity::seconds, Scale::linear},
                 .series = {{"attention", Tone::attention, {0.25}}},
                 .lines = {}};
  add_section(page, {"s", "S", "", {Figure{"bars", chart}}});
  const std::string html = render_html(page);
  EXPECT_EQ(count(html, "<svg"), 2U);
  EXPECT_THAT(html, HasSubstr("id=\"bars-wide-title\""));
  EXPECT_THAT(html, HasSubstr("id=\"bars-narrow-title\""));
  EXPECT_THAT(html, HasSubstr("<figcaption>Time &lt; that</figcaption>"));
  EXPECT_THAT(html, HasSubstr("<data value=\"0.25\">250.0 ms</data>"));
}

TEST(HtmlPage, NothingInItIsFetched) {
  const std::string html = render_html(page_named("a"));
  for (const char* fetched : {"src=", "<link", "@import", "url(", "href=\"http"})
    EXPECT_THAT(html, Not(HasSubstr(fetched)));
}

}  // namespace
}  // namespace ringsim::reports
