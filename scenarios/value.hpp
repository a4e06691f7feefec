#pragma once
// A parsed document as a tree of our own: mappings keep their order, and every value knows where it was written, so
// that each message can name a place to go to and `show` can say where each value comes from.
//
// An origin is text: "file.yaml:3:5" (line and column, from 1), "library/gpus/h100-sxm.yaml:3:5", "--set ring.layout",
// "config.json: num_hidden_layers", "default", or "derived: hidden / heads".

#include "models/error.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::scenarios {

/// A node of the tree. Only the members of its kind are in use.
struct Value {
  enum class Kind { null, scalar, sequence, mapping };
  struct Entry;

  Kind kind = Kind::null;
  std::string text;            // scalar: as written, quotes removed
  bool quoted = false;         // scalar: written in quotes, so it is text and no number
  std::vector<Value> items;    // sequence
  std::vector<Entry> entries;  // mapping, in order
  std::string origin;          // where the value stands

  [[nodiscard]] bool is_scalar() const { return kind == Kind::scalar; }
  [[nodiscard]] bool is_mapping() const { return kind == Kind::mapping; }
  [[nodiscard]] bool is_sequence() const { return kind == Kind::sequence; }

  /// The value of a key of a mapping; null pointer where there is none.
  [[nodiscard]] const Value* find(std::string_view key) const;
  [[nodiscard]] Value* find(std::string_view key);
  /// Adds a key, or replaces its value and origin in place.
  void set(std::string_view key, Value value, std::string_view key_origin);
  void erase(std::string_view key);

  [[nodiscard]] static Value scalar(std::string_view text, std::string_view origin);
  [[nodiscard]] static Value mapping(std::string_view origin);
};

struct Value::Entry {
  std::string key;
  std::string key_origin;  // where the key stands
  Value value;
};

/// No document is longer [bytes].
inline constexpr std::size_t longest_document = 4U << 20U;

/// What kind of node this is, for messages: "a mapping", "a list", "nothing", "a value".
[[nodiscard]] std::string describe(const Value& value);

/// Parses one YAML document. An empty document is an empty mapping. Throws Error with file:line:column where the text
/// is no YAML, holds duplicate keys, aliases, tags, a second document, or is nested deeper than 64 levels.
[[nodiscard]] Value parse_document(std::string_view text, std::string_view file);

/// Lays `over` on `base`: mappings are joined key by key, anything else is replaced. Origins travel with the values.
[[nodiscard]] Value overlaid(Value base, const Value& over);

/// Gives a whole tree one origin.
void set_origin(Value& value, std::string_view origin);

}  // namespace ringsim::scenarios
