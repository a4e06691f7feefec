// The reader of XML: what it takes, and where it says that a document is damaged.
#include "scenarios/xml.hpp"

#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

namespace ringsim::scenarios {
namespace {

using testing::error_of;

std::string place_of_mistake(const std::string& text) {
  const auto error = error_of([&] { static_cast<void>(parse_xml(text, "t.xml")); });
  return error ? error->where() : "none";
}

TEST(Xml, ReadsElementsAndAttributes) {
  const XmlElement root = parse_xml(
      "<?xml version=\"1.0\"?>\n<!DOCTYPE system>\n<!-- <a> -->\n<system version='1'>\n  text\n  <cpu numaid=\"0\" "
      "note = "
      "\"a &lt; &amp;&#65;&#x42;\"/><pci></pci >\n</system>\n",
      "t.xml");
  EXPECT_EQ(root.name, "system");
  EXPECT_EQ(root.origin, "t.xml:4:1");
  EXPECT_EQ(*root.attribute("version"), "1");
  ASSERT_EQ(root.children.size(), 2U);
  EXPECT_EQ(*root.children[0].attribute("note"), "a < &AB");
  EXPECT_EQ(root.children[0].attribute("absent"), nullptr);
  EXPECT_EQ(root.children[0].origin, "t.xml:6:3");
}

TEST(Xml, SaysWhereADocumentIsDamaged) {
  EXPECT_EQ(place_of_mistake("<a><b/></a>"), "none");
  EXPECT_EQ(place_of_mistake(""), "t.xml:1:1");
  EXPECT_EQ(place_of_mistake("<a>\n  <b>\n</a>"), "t.xml:3:1");          // crossed
  EXPECT_EQ(place_of_mistake("<a>\n  <b/>\n"), "t.xml:1:1");             // not closed
  EXPECT_EQ(place_of_mistake("<a/>\n<b/>"), "t.xml:2:1");                // a second root
  EXPECT_EQ(place_of_mistake("<a x=\"1\"\n   x=\"2\"/>"), "t.xml:2:4");  // twice
  EXPECT_EQ(place_of_mistake("<a x=1/>"), "t.xml:1:6");                  // no quotes
  EXPECT_EQ(place_of_mistake("<a x=\"1/>"), "t.xml:1:4");                // a value without end
  EXPECT_EQ(place_of_mistake("<a\n x=\"&what;\"/>"), "t.xml:2:5");       // unknown
  EXPECT_EQ(place_of_mistake("<a><!-- b</a>"), "t.xml:1:4");             // a comment without end
  EXPECT_EQ(place_of_mistake("<a x"), "t.xml:1:4");
  EXPECT_EQ(place_of_mistake("<"), "t.xml:1:2");
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "<a>";
  EXPECT_EQ(place_of_mistake(deep), "t.xml:1:193");  // the 65th
}

}  // namespace
}  // namespace ringsim::scenarios
