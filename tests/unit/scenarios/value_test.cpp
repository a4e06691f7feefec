#include "scenarios/value.hpp"

#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ringsim::scenarios {
namespace {

using testing::error_of;

TEST(Value, EveryNodeKnowsWhereItStands) {
  const Value root = parse_document("a: 1\nb: {c: d, e: [x, 'y']}\n", "file.yaml");
  EXPECT_EQ(root.find("a")->origin, "file.yaml:1:4");
  EXPECT_EQ(root.entries[1].key_origin, "file.yaml:2:1");
  const Value& b = *root.find("b");
  EXPECT_EQ(b.find("c")->origin, "file.yaml:2:8");
  EXPECT_EQ(b.entries[1].key_origin, "file.yaml:2:11");
  EXPECT_EQ(b.find("e")->items[1].origin, "file.yaml:2:18");
  EXPECT_TRUE(b.find("e")->items[1].quoted);
}

TEST(Value, AnEmptyDocumentIsAnEmptyMapping) {
  for (const char* text : {"", "# nothing\n", "---\n", "~"}) {
    const Value root = parse_document(text, "file.yaml");
    EXPECT_TRUE(root.is_mapping()) << text;
    EXPECT_TRUE(root.entries.empty()) << text;
  }
}

TEST(Value, ParserErrorsNameThePlace) {
  EXPECT_EQ(error_of([] { static_cast<void>(parse_document("a: b: c", "f.yaml")); })->where(), "f.yaml:1:5");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_document("a: 1\nb: {c: 1\n", "f.yaml")); })->where(), "f.yaml:3:1");
}

TEST(Value, DuplicateKeysAreFoundAtEveryDepth) {
  const auto error = error_of([] { static_cast<void>(parse_document("a:\n  - {b: 1, b: 2}\n", "f.yaml")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->where(), "f.yaml:2:12");
  EXPECT_NE(error->message().find("f.yaml:2:6"), std::string::npos);
}

TEST(Value, WhatIsNoPartOfTheLanguageIsRefused) {
  for (const char* text : {"a: &x 1\nb: *x\n", "a: !int 3\n", "a: 1\n---\nb: 2\n", "? {a: 1}\n: 2\n", "? [a]\n: 2\n"}) {
    EXPECT_THROW(static_cast<void>(parse_document(text, "f.yaml")), Error) << text;
  }
  EXPECT_THROW(static_cast<void>(parse_document(std::string("a: 1\0", 5), "f.yaml")), Error);
  EXPECT_THROW(static_cast<void>(parse_document(std::string(5U << 20U, ' '), "f.yaml")), Error);
}

TEST(Value, DeepNestingIsRefusedInsteadOfOverflowingTheStack) {
  EXPECT_THROW(static_cast<void>(parse_document(std::string(100000, '['), "f.yaml")), Error);
  EXPECT_THROW(static_cast<void>(parse_document("a: " + std::string(65, '[') + std::string(65, ']'), "f.yaml")), Error);
}

TEST(Value, OverlaysJoinMappingsAndReplaceTheRest) {
  const Value base = parse_document("a: {b: 1, c: 2}\nd: [1, 2]\n", "base");
  const Value over = parse_document("a: {c: 3}\nd: [4]\ne: 5\n", "over");
  const Value result = overlaid(base, over);
  EXPECT_EQ(result.find("a")->find("b")->text, "1");
  EXPECT_EQ(result.find("a")->find("b")->origin, "base:1:8");
  EXPECT_EQ(result.find("a")->find("c")->text, "3");
  EXPECT_EQ(result.find("a")->find("c")->origin, "over:1:8");
  EXPECT_EQ(result.find("d")->items.size(), 1U);
  EXPECT_EQ(result.find("e")->text, "5");
}

TEST(Value, NulCharactersAreRefusedWhereTheyStand) {
  EXPECT_EQ(error_of([] { static_cast<void>(parse_document(std::string("a: 1\nb: \0", 9), "f.yaml")); })->where(),
            "f.yaml:2:4");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_document("a: 1\nb: \"x\\0y\"\n", "f.yaml")); })->where(),
            "f.yaml:2:4");
  EXPECT_EQ(error_of([] { static_cast<void>(parse_document("a: 1\n\"b\\0\": 2\n", "f.yaml")); })->where(),
            "f.yaml:2:1");
}

}  // namespace
}  // namespace ringsim::scenarios
