#pragma once
// Plain values of the language: held to what their field allows, and brought into their normal form.

#include "scenarios/spec.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>

namespace ringsim::scenarios {

/// Checks a plain value and brings its text into normal form. `path` is its dotted path, for messages. Throws Error at the
/// value.
void complete_plain(Value& value, const Field& field, const std::string& path);

/// The normal form of a text, as complete_plain() makes it. Throws Error without a place.
[[nodiscard]] std::string normal_text(const std::string& text, const Field& field);

/// Letters, digits, - and _, one at least.
[[nodiscard]] bool is_name(const std::string& text);

/// What a value of this kind is, for messages: "a whole number".
[[nodiscard]] std::string_view what_kind(Kind kind);

/// "for example ring: 8"; empty where the table has nothing to say.
[[nodiscard]] std::string example_of(const Field& field);

/// "2 to 3", "0 s to 3600 s": the legal values of a field that holds a number.
[[nodiscard]] std::string legal_range(const Field& field);

}  // namespace ringsim::scenarios
