#include "scenarios/published.hpp"

#include "models/error.hpp"
#include "models/names.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/embedded.hpp"
#include "scenarios/read_parts.hpp"
#include "scenarios/reader.hpp"
#include "scenarios/spec_published.hpp"
#include "scenarios/units.hpp"

#include <fmt/format.h>

#include <optional>

namespace ringsim::scenarios {
namespace {

constexpr std::string_view folder = "published";

std::optional<double> share_at(const Value& mapping, std::string_view key) {
  const Value* value = mapping.find(key);
  return value == nullptr ? std::nullopt : std::optional(parse_ratio(value->text));
}

PublishedTarget target_of(const Value& target) {
  return {share_at(target, "median"), share_at(target, "p90"), share_at(target, "worst"),
          optional_count_at(target, "winners"), optional_count_at(target, "orders")};
}

PublishedSet set_of(std::string_view name, const Value& document) {
  PublishedSet set{.name = std::string(name),
                   .title = text_at(document, "title"),
                   .source = text_at(document, "source"),
                   .method = text_at(document, "method"),
                   .fitted = text_at(document, "fitted"),
                   .microbenchmarks = text_at(document, "microbenchmarks"),
                   .rows_of_source = optional_count_at(document, "rows_of_source").value_or(0)};
  if (const Value* target = document.find("target"); target != nullptr) set.target = target_of(*target);
  if (const Value* remarks = document.find("remarks"); remarks != nullptr) {
    for (const Value& remark : remarks->items) {
      set.remarks.push_back({text_at(remark, "about"), text_at(remark, "text")});
    }
  }
  if (const Value* left_out = document.find("left_out"); left_out != nullptr) {
    for (const Value& rows : left_out->items) {
      set.left_out.push_back({text_at(rows, "rows"), count_at(rows, "count"), text_at(rows, "why")});
    }
  }
  return set;
}

}  // namespace

std::vector<std::string_view> published_names() { return embedded_names(folder); }

PublishedSource read_published(std::string_view name) {
  const auto description = embedded_text(fmt::format("{}/{}.yaml", folder, name));
  if (!description) {
    throw Error(fmt::format("there are no published measurements called {}", name), "--set-name",
                name_hint(name, published_names(), "there are"));
  }
  const std::string file = fmt::format("library/{}/{}", folder, name);
  const auto rows = embedded_text(fmt::format("{}/{}.csv", folder, name));
  if (!rows) throw Error("has no rows", file + ".yaml", fmt::format("a file {}.csv beside it", name));
  PublishedSource source = read_published_text(name, *description, file + ".yaml", *rows);
  source.rows_file = file + ".csv";
  return source;
}

PublishedSource read_published_text(std::string_view name, std::string_view description, const std::string& file,
                                    std::string_view rows) {
  Value document = parse_document(description, file);
  const Value* scenario = document.find("scenario");
  if (scenario == nullptr || !scenario->is_mapping()) {
    throw Error("scenario is missing: what all rows share", scenario == nullptr ? file : scenario->origin,
                "scenario: {model: ..., workload: ..., cluster: ..., parallel: ...}");
  }
  PublishedSource source{{}, *scenario, fmt::format("{}.csv", name), rows};
  document.erase("scenario");
  refuse_unknown_keys(document, published_set_spec(), "");
  complete(document, published_set_spec(), "");
  source.about = set_of(name, document);
  return source;
}

Scenario published_scenario(const PublishedSource& source, const std::string& name,
                            const std::vector<std::string>& sets) {
  Value root = source.scenario;
  root.set("name", Value::scalar(name, root.origin), root.origin);
  return read_scenario_document(std::move(root), source.about.name, {}, sets);
}

}  // namespace ringsim::scenarios
