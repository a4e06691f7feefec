#pragma once
// Two scenarios as they were written, key by key.

#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

/// Dotted keys that were written differently, in the order of the language; of a mapping below the first level (and of a profile)
/// that one side lacks, the mapping, unless a name above it stands for what is not written. Notes and the scenario's name are left out.
[[nodiscard]] std::vector<std::string> written_changes(const Value& a, const Value& b);

/// The value at a dotted key; null pointer where there is none.
[[nodiscard]] const Value* value_at(const Value& root, std::string_view path);

/// Gives `into` what `from` has at a dotted key: a value, or none. Mappings on the way are made where `from` has them, and go
/// where they were left empty and `from` has none.
void take_over(Value& into, const Value& from, std::string_view path);

/// A value in a few words: its text, "[8Ki, 137]", "{gpu_hour: 2.50}", "a list of 12"; "not written" where there is none.
[[nodiscard]] std::string in_short(const Value* value);

}  // namespace ringsim::scenarios
