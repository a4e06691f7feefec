#include "calibrate/import/csv_text.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using ::testing::HasSubstr;

TEST(CsvText, QuotedCellsHoldCommasQuotesAndLineEnds) {
  // RFC 4180 §2: the second cell is  a "b", c  and spans two lines, so that the row after it begins at line 4 of the text.
  const CsvTable table = parse_csv("t.csv", "x,y\n1,\"a \"\"b\"\",\nc\"\n2,d\r\n");
  EXPECT_THAT(table.header.cells, ElementsAre("x", "y"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_THAT(table.rows[0].cells, ElementsAre("1", "a \"b\",\nc"));
  EXPECT_EQ(table.rows[0].line, 2U);
  EXPECT_THAT(table.rows[1].cells, ElementsAre("2", "d"));
  EXPECT_EQ(table.rows[1].line, 4U);
}

TEST(CsvText, CommentsBlankLinesAndByteOrderMarkAreSkipped) {
  const CsvTable table = parse_csv("t.csv", "\xEF\xBB\xBF# made by hand\n\nx,y\n  # more\n , 2 \n", 10);
  EXPECT_THAT(table.header.cells, ElementsAre("x", "y"));
  EXPECT_EQ(table.header.line, 12U);  // the third line of a text that begins at line 10
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_THAT(table.rows[0].cells, ElementsAre("", "2"));
}

TEST(CsvText, AnEmptyLastCellIsACell) {
  EXPECT_THAT(parse_csv("t.csv", "x,y\n1,").rows.at(0).cells, ElementsAre("1", ""));
}

TEST(CsvText, ErrorsNameTheLine) {
  const auto error = [](std::string_view text) { return error_of([&] { (void)parse_csv("t.csv", text); }); };
  EXPECT_THAT(error("x,y\n1,2,3\n"), HasSubstr("t.csv:2 | 3 cells, but the header has 2 columns"));
  EXPECT_THAT(error("x,y\n1,\"2\n"), HasSubstr("t.csv:2 | a quote is not closed"));
  EXPECT_THAT(error("x,y\n1,\"2\"3\n"), HasSubstr("t.csv:2 | \"3\" follows a closing quote"));
  EXPECT_THAT(error("x,y\n1,2\"3\"\n"), HasSubstr("t.csv:2 | a quote inside a cell"));
  EXPECT_THAT(error("x,x\n1,2\n"), HasSubstr("t.csv:1 | two columns are called x"));
  EXPECT_THAT(error("x,\n1,2\n"), HasSubstr("t.csv:1 | a column has no name"));
  EXPECT_THAT(error("# only this\nx,y\n"), HasSubstr("t.csv:2 | no rows after the header"));
  EXPECT_THAT(error("# only this\n"), HasSubstr("t.csv | no header"));
}

}  // namespace
}  // namespace ringsim::calibrate
