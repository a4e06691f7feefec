#pragma once
// Access to the fields of a Hugging Face config: typed, with the place in messages, and null the same as absent.

#include "models/error.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace ringsim::scenarios {

class HfFields {
 public:
  /// `prefix` is "text_config." where the fields are nested.
  HfFields(const nlohmann::json& object, std::string_view file, std::string_view prefix)
      : object_(object), file_(file), prefix_(prefix) {}

  [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
  [[nodiscard]] const nlohmann::json* find(std::string_view key) const {
    const auto at = object_.find(key);
    return at == object_.end() || at->is_null() ? nullptr : &*at;
  }

  /// "config.json: text_config.hidden_size".
  [[nodiscard]] std::string origin(std::string_view key) const { return file_ + ": " + prefix_ + std::string(key); }

  /// Whole number, not negative. Throws Error where the field is something else.
  [[nodiscard]] std::optional<std::int64_t> count(std::string_view key) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_number_integer() || value->get<std::int64_t>() < 0) {
      throw Error(std::string(key) + " is not a whole number", origin(key), {});
    }
    return value->get<std::int64_t>();
  }
  /// The first of several names that is there, and which one it was.
  struct Named {
    std::string_view key;
    std::int64_t value = 0;
  };
  [[nodiscard]] std::optional<Named> first_count(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys) {
      if (const auto value = count(key)) return Named{key, *value};
    }
    return std::nullopt;
  }
  [[nodiscard]] std::optional<bool> flag(std::string_view key) const {
    const nlohmann::json* value = find(key);
    if (value == nullptr) return std::nullopt;
    if (!value->is_boolean()) throw Error(std::string(key) + " is neither true nor false", origin(key), {});
    return value->get<bool>();
  }
  [[nodiscard]] std::string text(std::string_view key) const {
    const nlohmann::json* value = find(key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : std::string();
  }

 private:
  const nlohmann::json& object_;
  std::string file_;
  std::string prefix_;
};

}  // namespace ringsim::scenarios
