#include "scenarios/reference.hpp"

#include "scenarios/plain_value.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>

namespace ringsim::scenarios {
namespace {

// What the reference shows has to be right: the reader itself reads every example, and an example is about the key that it stands at.
TEST(Reference, ExamplesAreReadAndHaveTheKeyThatTheyAreFor) {
  std::set<std::string_view> shown;
  for (const ReferenceExample& example : reference_examples()) {
    SCOPED_TRACE(example.text);
    const Scenario scenario = read_scenario_text(example.text, "example.yaml");
    EXPECT_FALSE(scenario.resolved.empty());
    const std::string key = std::string(example.key) + ":";
    const std::string text(example.text);
    EXPECT_TRUE(text.starts_with(key) || text.find("\n" + key) != std::string::npos) << key;
    shown.insert(example.key);
  }
  for (const std::string_view key : scenario_spec().keys()) EXPECT_TRUE(shown.contains(key)) << key;
}

TEST(Reference, HasEveryMappingOnceAndEveryKeyOfIt) {
  // The whole of the first place's mapping, looked up in the language by its path.
  std::set<std::string> titles;
  for (const ReferenceSection& section : reference_sections()) {
    EXPECT_TRUE(titles.insert(section.title).second) << section.title;
    ASSERT_FALSE(section.places.empty());
    std::string place = section.places.front();
    if (place.empty()) {
      EXPECT_EQ(section.keys.size(), scenario_spec().fields.size());
      continue;
    }
    // "noise.stragglers[]" and "profile.links.*" are steps of any name.
    for (std::size_t at = place.find("[]"); at != std::string::npos; at = place.find("[]")) place.replace(at, 2, ".0");
    const std::size_t last = place.find_last_not_of(".0*");
    const Field* field = field_at(place.substr(0, last + 1));
    ASSERT_NE(field, nullptr) << place;
    ASSERT_NE(field->mapping, nullptr) << place;
    EXPECT_EQ(section.keys.size(), field->mapping().fields.size()) << place;
  }
  // Links of keys lead to sections.
  for (const ReferenceSection& section : reference_sections()) {
    for (const ReferenceKey& key : section.keys) {
      EXPECT_FALSE(key.value.empty()) << key.key;
      EXPECT_TRUE(key.section.empty() || titles.contains(key.section)) << key.section;
    }
  }
}

TEST(Reference, DottedKeysAndTheirWordsAreOfTheLanguage) {
  const std::vector<DottedKey> keys = dotted_keys();
  EXPECT_GT(keys.size(), 150U);
  for (const DottedKey& key : keys) {
    const Field* field = field_at(key.path);
    ASSERT_NE(field, nullptr) << key.path;
    EXPECT_NE(field->role, Role::note) << key.path;
    EXPECT_TRUE(key.has_keys || key.has_value) << key.path;
    if (field->kind == Kind::choice) {
      EXPECT_EQ(key.words.size(), field->choices.size()) << key.path;
    }
    if (field->kind == Kind::choice || field->kind == Kind::boolean) {
      for (const std::string& word : key.words) EXPECT_EQ(normal_text(word, *field), word) << key.path;
    }
  }
  const auto phase =
      std::find_if(keys.begin(), keys.end(), [](const DottedKey& k) { return k.path == "workload.phase"; });
  ASSERT_NE(phase, keys.end());
  EXPECT_THAT(phase->words, ::testing::ElementsAre("prefill", "train", "backward", "decode"));
}

TEST(Reference, UnitsAreThoseThatAreRead) {
  // Bits and bytes, thousands and 1024s: the units that people mix up are all named.
  std::string all;
  for (const ReferenceUnits& units : reference_units()) all += units.kind + " " + units.text + "\n";
  for (const char* unit : {"`Gb/s`", "`GB/s`", "`GiB`", "`us`", "`TFLOP/s`", "`Ki`", "`kW`"})
    EXPECT_THAT(all, ::testing::HasSubstr(unit));
}

}  // namespace
}  // namespace ringsim::scenarios
