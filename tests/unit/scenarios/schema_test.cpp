#include "scenarios/schema.hpp"

#include "scenarios/complete.hpp"
#include "scenarios/spec.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <functional>
#include <iterator>
#include <set>

namespace ringsim::scenarios {
namespace {

using nlohmann::json;
using testing::error_of;

// All mappings of the language, once each.
std::vector<const Mapping*> all_mappings() {
  std::vector<const Mapping*> found;
  const std::function<void(const Mapping&)> visit = [&](const Mapping& mapping) {
    for (const Mapping* known : found) {
      if (known == &mapping) return;
    }
    found.push_back(&mapping);
    for (const Field& field : mapping.fields) {
      if (field.mapping != nullptr) visit(field.mapping());
    }
  };
  visit(scenario_spec());
  return found;
}

// The object form of a mapping in the schema, behind its shorthand.
json object_form(const json& schema, const Mapping& mapping) {
  if (mapping.name == "scenario") return schema;
  const json& definition = schema.at("definitions").at(std::string(mapping.name));
  if (!definition.contains("oneOf")) return definition;
  for (const json& form : definition.at("oneOf")) {
    if (form.value("type", json()) == "object") return form;
  }
  return {};
}

TEST(Schema, TheFileIsWhatTheGeneratorWrites) {
  std::ifstream file(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/scenario.schema.json");
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(text, json_schema()) << "write it anew: ringsim schema > scenarios/scenario.schema.json";
}

TEST(Schema, KnowsEveryKeyAndIsClosed) {
  const json schema = json::parse(json_schema());
  EXPECT_EQ(schema.at("$schema"), "http://json-schema.org/draft-07/schema#");
  for (const Mapping* mapping : all_mappings()) {
    SCOPED_TRACE(mapping->name);
    const json form = object_form(schema, *mapping);
    EXPECT_EQ(form.at("additionalProperties"), false);
    EXPECT_EQ(form.at("properties").size(), mapping->fields.size());
    for (const Field& field : mapping->fields) {
      ASSERT_TRUE(form.at("properties").contains(std::string(field.key))) << field.key;
      const json& property = form.at("properties").at(std::string(field.key));
      EXPECT_FALSE(property.at("description").get<std::string>().empty()) << field.key;
      EXPECT_TRUE(property.contains("title")) << field.key;
      if (field.kind == Kind::choice) {
        EXPECT_EQ(property.at("enum").size(), field.choices.size()) << field.key;
      }
    }
  }
}

TEST(Schema, KeysOfAKindDependOnIt) {
  // `spines` beside another kind than fat-tree is wrong; without a kind the cluster's entry of the library may have it.
  const json fabric = object_form(json::parse(json_schema()), fabric_spec());
  EXPECT_EQ(fabric.at("dependencies").at("spines"), json::parse(R"({"properties": {"kind": {"enum": ["fat-tree"]}}})"));
  EXPECT_EQ(fabric.at("dependencies").at("cores"), json::parse(R"({"properties": {"levels": {"enum": [3]}}})"));
  for (const Mapping* mapping : all_mappings()) {
    for (const Field& field : mapping->fields) {
      if (!field.only) continue;
      // The key that decides stands before, since completing goes in order, and can have each of the values.
      const Field* selector = mapping->find(field.only->key);
      ASSERT_TRUE(selector != nullptr && selector < &field) << field.key;
      for (const std::string_view value : field.only->values) {
        const Mapping alone{.name = mapping->name, .description = {}, .fields = {*selector}};
        Value node = parse_document(std::string(selector->key) + ": " + std::string(value), "table");
        EXPECT_NO_THROW(complete(node, alone, "")) << field.key << " " << value;
      }
    }
  }
}

TEST(Schema, NamesOfMappingsAreUnique) {
  std::set<std::string_view> names;
  for (const Mapping* mapping : all_mappings()) EXPECT_TRUE(names.insert(mapping->name).second) << mapping->name;
}

TEST(Schema, TheReaderRefusesUnknownKeysInEveryMapping) {
  for (const Mapping* mapping : all_mappings()) {
    Value node = Value::mapping("here");
    for (const Field& field : mapping->fields) node.set(field.key, Value::scalar("x", "here"), "here");
    EXPECT_NO_THROW(refuse_unknown_keys(node, *mapping, "path")) << mapping->name;
    node.set("no_such_key", Value::scalar("x", "here"), "there");
    const auto error = error_of([&] { refuse_unknown_keys(node, *mapping, "path"); });
    ASSERT_TRUE(error) << mapping->name;
    EXPECT_EQ(error->where(), "there");
  }
}

TEST(Schema, DefaultsAndExamplesOfTheTableAreLegal) {
  for (const Mapping* mapping : all_mappings()) {
    for (const Field& field : mapping->fields) {
      if (field.role != Role::value || field.kind == Kind::mapping || field.kind == Kind::table ||
          field.kind == Kind::mappings)
        continue;
      std::vector<std::string_view> texts = field.examples;
      if (!field.fallback.empty()) texts.push_back(field.fallback);
      for (const std::string_view text : texts) {
        SCOPED_TRACE(std::string(mapping->name) + "." + std::string(field.key) + ": " + std::string(text));
        const Mapping alone{.name = mapping->name, .description = {}, .fields = {field}};
        Value node = parse_document(std::string(field.key) + ": " + std::string(text), "table");
        EXPECT_NO_THROW(complete(node, alone, ""));
      }
    }
  }
}

TEST(Schema, EveryRefusedNameIsUnknownToTheTable) {
  for (const Mapping* mapping : all_mappings()) {
    for (const Refused& refused : mapping->refused) EXPECT_EQ(mapping->find(refused.name), nullptr) << refused.name;
  }
}

TEST(Schema, TextsOfATableMayLookLikeNumbers) {
  // `made: {ranks: 2}` is a text to the reader and a number to YAML.
  const json profile = object_form(json::parse(json_schema()), profile_spec());
  EXPECT_EQ(profile.at("properties").at("made").at("additionalProperties").at("type"), (json{"string", "number"}));
}

TEST(Schema, EditorsLearnWhatIsLegalForNumbersWithAUnit) {
  const json schema = json::parse(json_schema());
  const json gpu = object_form(schema, gpu_spec());
  EXPECT_NE(gpu.at("properties").at("memory").at("description").get<std::string>().find("From 1 B to 1000000 TB."),
            std::string::npos);
  const std::string share = schema.at("definitions").at("calibrated_share").dump();
  EXPECT_NE(share.find("\"minimum\":0.0001"), std::string::npos) << share;
}

}  // namespace
}  // namespace ringsim::scenarios
