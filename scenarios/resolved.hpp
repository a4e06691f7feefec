#pragma once
// A complete document as a list of values: for `show`, for the hash, and for finding where a key was written.

#include "models/scenario.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

/// All values of a complete mapping as dotted keys, normal texts and origins. Lists of plain values are one entry.
void list_values(const Value& node, const Mapping& spec, std::string_view path, std::vector<ResolvedValue>& out);

/// The list of plain values [a, b, c] as text.
[[nodiscard]] std::string flow_text(const Value& sequence);

/// FNV-1a (64 bits, 16 hexadecimal digits) over keys and texts. A key that the language was given later counts only where its
/// value is not the default, so that a scenario keeps its hash when the language grows.
[[nodiscard]] std::string hash_of(const std::vector<ResolvedValue>& values);

/// Where a dotted key of the complete tree was written: the place of the key, or of the nearest key above it that was
/// written and not defaulted; of a mapping that --set changed, the --set. Empty where nothing of the path exists.
[[nodiscard]] std::string place_of(const Value& root, std::string_view path);

}  // namespace ringsim::scenarios
