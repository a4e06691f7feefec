#include "scenarios/value.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace ringsim::scenarios {
namespace {

constexpr std::size_t deepest = 64;

std::string position(std::string_view file, const YAML::Mark& mark) {
  return fmt::format("{}:{}:{}", file, mark.line + 1, mark.column + 1);
}

// Builds our tree from the parser's events, which carry the position of every key and value.
class TreeBuilder : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string_view file) : file_(file) {}

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    Value value;
    // The parser reports where the next token stands; the key is the better place to look at.
    value.origin = stack_.empty() || !stack_.back().key ? position(file_, mark) : stack_.back().key->key_origin;
    add(std::move(value));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    throw Error("aliases are not part of the language", position(file_, mark), "write the value out again");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, const std::string& text) override {
    refuse_tag(tag, mark);
    if (text.find('\0') != std::string::npos) {
      throw Error("the text holds a NUL character", position(file_, mark), "one line of text");
    }
    Value value = Value::scalar(text, position(file_, mark));
    value.quoted = tag == "!";
    add(std::move(value));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(Value::Kind::sequence, mark, tag);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t, YAML::EmitterStyle::value) override {
    open(Value::Kind::mapping, mark, tag);
  }
  void OnMapEnd() override { close(); }

  Value take() { return std::move(root_); }

 private:
  struct Level {
    Value value;
    std::optional<Value::Entry> key;  // a mapping's key that waits for its value
  };

  void refuse_tag(const std::string& tag, const YAML::Mark& mark) const {
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw Error(fmt::format("the tag {} is not part of the language", tag), position(file_, mark), "leave it out");
    }
  }

  void open(Value::Kind kind, const YAML::Mark& mark, const std::string& tag) {
    refuse_tag(tag, mark);
    if (stack_.size() == deepest) {
      throw Error(fmt::format("nested deeper than {} levels", deepest), position(file_, mark), {});
    }
    Level level;
    level.value.kind = kind;
    level.value.origin = position(file_, mark);
    stack_.push_back(std::move(level));
  }

  void close() {
    Value value = std::move(stack_.back().value);
    stack_.pop_back();
    add(std::move(value));
  }

  void add(Value value) {
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Level& level = stack_.back();
    if (level.value.is_sequence()) {
      level.value.items.push_back(std::move(value));
    } else if (!level.key) {
      if (!value.is_scalar()) throw Error("a key must be plain text", value.origin, "key: value");
      for (const Value::Entry& entry : level.value.entries) {
        if (entry.key == value.text) {
          throw Error(
              fmt::format("the key {} stands here a second time; the first is at {}", entry.key, entry.key_origin),
              value.origin, "keep one of the two");
        }
      }
      level.key = Value::Entry{value.text, value.origin, {}};
    } else {
      level.key->value = std::move(value);
      level.value.entries.push_back(std::move(*level.key));
      level.key.reset();
    }
  }

  std::string file_;
  std::vector<Level> stack_;
  Value root_;
};

// Where the parser gave up. It reports an unclosed bracket at the very start of the file.
std::string place_of(const YAML::Exception& error, std::string_view text, std::string_view file) {
  if (error.mark.line > 0 || error.mark.column > 0) return position(file, error.mark);
  if (!std::string_view(error.msg).starts_with("end of")) return fmt::format("{}:1:1", file);
  return fmt::format("{}:{}:1", file, std::count(text.begin(), text.end(), '\n') + 1);
}

std::string hint_for(std::string_view message) {
  if (message.starts_with("illegal map value"))
    return "one `key: value` a line, without tabs; quote text that holds `: `";
  if (message.starts_with("end of sequence flow")) return "a list that `[` opened needs `]`";
  if (message.starts_with("end of map flow")) return "a mapping that `{` opened needs `}`";
  if (message.starts_with("illegal flow end"))
    return "brackets and braces close in the order opposite to their opening";
  if (message.starts_with("end of map not found")) return "keys of one mapping start in the same column";
  if (message.starts_with("illegal EOF in scalar")) return "a quoted text needs its closing quote";
  return {};
}

}  // namespace

const Value* Value::find(std::string_view key) const {
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return at == entries.end() ? nullptr : &at->value;
}

Value* Value::find(std::string_view key) {
  const auto at = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.key == key; });
  return at == entries.end() ? nullptr : &at->value;
}

void Value::set(std::string_view key, Value value, std::string_view key_origin) {
  kind = Kind::mapping;
  for (Entry& entry : entries) {
    if (entry.key != key) continue;
    entry.value = std::move(value);
    entry.key_origin = key_origin;
    return;
  }
  entries.push_back({std::string(key), std::string(key_origin), std::move(value)});
}

void Value::erase(std::string_view key) {
  std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; });
}

Value Value::scalar(std::string_view text, std::string_view origin) {
  Value value;
  value.kind = Kind::scalar;
  value.text = text;
  value.origin = origin;
  return value;
}

Value Value::mapping(std::string_view origin) {
  Value value;
  value.kind = Kind::mapping;
  value.origin = origin;
  return value;
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Value::Kind::mapping:
      return "a mapping";
    case Value::Kind::sequence:
      return "a list";
    case Value::Kind::scalar:
      return fmt::format("the value {}", value.text.empty() ? "\"\"" : value.text);
    case Value::Kind::null:
      break;
  }
  return "nothing";
}

Value parse_document(std::string_view text, std::string_view file) {
  if (text.size() > longest_document) throw Error("longer than 4 MiB: not a scenario", std::string(file), {});
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    const std::string_view before = text.substr(0, zero);
    const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
    throw Error("a NUL character: not a text file",
                fmt::format("{}:{}:{}", file, std::count(before.begin(), before.end(), '\n') + 1,
                            before.size() - line_start + 1),
                {});
  }
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(file);
  Value root;
  try {
    YAML::Parser parser(stream);
    if (parser.HandleNextDocument(builder)) {
      root = builder.take();
      TreeBuilder second(file);
      if (parser.HandleNextDocument(second)) {
        throw Error("a second document starts here", second.take().origin, "one document a file");
      }
    }
  } catch (const YAML::Exception& error) {
    throw Error(fmt::format("not valid YAML: {}", error.msg), place_of(error, text, file), hint_for(error.msg));
  }
  if (root.kind == Value::Kind::null) root = Value::mapping(fmt::format("{}:1:1", file));
  return root;
}

Value overlaid(Value base, const Value& over) {
  if (!base.is_mapping() || !over.is_mapping()) return over;
  for (const Value::Entry& entry : over.entries) {
    Value* below = base.find(entry.key);
    base.set(entry.key, below != nullptr ? overlaid(std::move(*below), entry.value) : entry.value, entry.key_origin);
  }
  return base;
}

void set_origin(Value& value, std::string_view origin) {
  value.origin = origin;
  for (Value& item : value.items) set_origin(item, origin);
  for (Value::Entry& entry : value.entries) {
    entry.key_origin = origin;
    set_origin(entry.value, origin);
  }
}

}  // namespace ringsim::scenarios
