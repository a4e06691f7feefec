#include "scenarios/overrides.hpp"

#include "models/error.hpp"
#include "scenarios/complete.hpp"
#include "scenarios/spec.hpp"

#include <fmt/format.h>

#include <charconv>

namespace ringsim::scenarios {
namespace {

Value parse_value(std::string_view text, const std::string& where) {
  Value value;
  try {
    Value document = parse_document(fmt::format("value: {}", text), "value");
    if (document.entries.size() == 1) value = std::move(document.entries.front().value);
  } catch (const Error& error) {
    throw Error(fmt::format("the value {} cannot be read: {}", text, error.message()), where,
                "quote text that holds `: ` or brackets");
  }
  if (value.kind == Value::Kind::null) throw Error("no value after =", where, "--set key=value");
  set_origin(value, where);
  return value;
}

bool is_list(Kind kind) {
  return kind == Kind::choices || kind == Kind::counts || kind == Kind::names || kind == Kind::mappings;
}

Value& item_at(Value& list, std::string_view index, const std::string& where) {
  std::size_t at = 0;
  const auto result = std::from_chars(index.data(), index.data() + index.size(), at);
  if (result.ec != std::errc() || result.ptr != index.data() + index.size() || at >= list.items.size()) {
    throw Error(fmt::format("{} is no index of this list of {}", index, list.items.size()), where,
                list.items.empty() ? "set the whole list" : fmt::format("0 to {}", list.items.size() - 1));
  }
  return list.items[at];
}

}  // namespace

void apply_override(Value& document, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(fmt::format("{} is no assignment", assignment.empty() ? "an empty text" : assignment),
                fmt::format("--set {}", assignment), "--set key=value, for example --set parallel.ring=8");
  }
  std::string_view path = assignment.substr(0, equals);
  const std::string where = fmt::format("--set {}", path);
  const Value value = parse_value(assignment.substr(equals + 1), where);
  Value* node = &document;
  std::string walked;
  const Mapping* spec = &scenario_spec();
  while (true) {
    const std::size_t dot = path.find('.');
    const std::string_view key = path.substr(0, dot);
    if (key.empty()) throw Error("a key is empty", where, "--set a.b=value");
    if (spec != nullptr) expand_shorthand(*node, *spec);
    if (node->kind == Value::Kind::null) *node = Value::mapping(where);
    if (node->is_scalar()) {
      throw Error(fmt::format("{} is {}, there are no keys below it", walked, describe(*node)), where, {});
    }
    const Field* field = spec == nullptr || node->is_sequence() ? nullptr : spec->find(key);
    Value* next = node->is_sequence() ? &item_at(*node, key, where) : node->find(key);
    if (next == nullptr) {
      if (field != nullptr && dot != std::string_view::npos && is_list(field->kind)) {
        throw Error(fmt::format("the list {} has no items yet", path_to(walked, key)), where,
                    fmt::format("set the whole list: --set '{}={}'", path_to(walked, key),
                                field->examples.empty() ? "[...]" : field->examples.front()));
      }
      node->set(key, dot == std::string_view::npos ? value : Value::mapping(where), where);
      next = node->find(key);
    }
    if (dot == std::string_view::npos) {
      if (node->is_sequence()) {
        *next = value;
      } else {
        node->set(key, value, where);
      }
      return;
    }
    walked = path_to(walked, key);
    // Items of a list and rows of a table keep the list's mapping.
    if (field != nullptr) {
      const bool stepped_over = field->kind == Kind::table;
      spec = stepped_over || field->mapping == nullptr ? nullptr : &field->mapping();
    } else if (!node->is_sequence()) {
      spec = nullptr;
    }
    node = next;
    path.remove_prefix(dot + 1);
  }
}

}  // namespace ringsim::scenarios
