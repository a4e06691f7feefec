#pragma once
// Holds a document to the language and completes it: unknown keys, kinds, ranges and missing keys are errors; defaults
// are written in; every text is brought into its normal form. What comes out has all values, in the order of the
// language.

#include "scenarios/spec.hpp"
#include "scenarios/value.hpp"

#include <string_view>

namespace ringsim::scenarios {

/// A bare value where a mapping with a shorthand stands becomes that mapping: `model: x` is {use: x}.
void expand_shorthand(Value& node, const Mapping& spec);

/// Checks and completes a mapping whose references have been replaced. `path` is its dotted path, for messages.
/// Throws Error at the place of the mistake.
void complete(Value& node, const Mapping& spec, std::string_view path);

/// Throws Error for the first key that the mapping does not know, with the nearest one as a hint.
void refuse_unknown_keys(const Value& node, const Mapping& spec, std::string_view path);

}  // namespace ringsim::scenarios
