#pragma once
// Holds a document to the language and completes it: unknown keys, kinds, ranges and missing keys are errors; defaults
// are written in; every text is brought into its normal form. What comes out has all values, in the order of the
// language.

#include "models/scenario.hpp"
#include "scenarios/spec.hpp"
#include "scenarios/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::scenarios {

/// A bare value where a mapping with a shorthand stands becomes that mapping: `model: x` is {use: x}.
void expand_shorthand(Value& node, const Mapping& spec);

/// Checks and completes a mapping whose references have been replaced. `path` is its dotted path, for messages.
/// Throws Error at the place of the mistake.
void complete(Value& node, const Mapping& spec, std::string_view path);

/// "2 to 3", "0 s to 3600 s": the legal values of a field that holds a number.
[[nodiscard]] std::string legal_range(const Field& field);

/// Throws Error for the first key that the mapping does not know, with the nearest one as a hint.
void refuse_unknown_keys(const Value& node, const Mapping& spec, std::string_view path);

/// All values of a complete mapping as dotted keys, normal texts and origins. Lists of plain values are one entry.
void list_values(const Value& node, const Mapping& spec, std::string_view path, std::vector<ResolvedValue>& out);

/// The list of plain values [a, b, c] as text.
[[nodiscard]] std::string flow_text(const Value& sequence);

/// Where a dotted key of the complete tree was written: the place of the key, or of the nearest key above it that was
/// written and not defaulted; of a mapping that --set changed, the --set. Empty where nothing of the path exists.
[[nodiscard]] std::string place_of(const Value& root, std::string_view path);

}  // namespace ringsim::scenarios
