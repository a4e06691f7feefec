#pragma once
// How the inputs of two scenarios A and B differ: what was written differently, and all values that follow from it.

#include <optional>
#include <string>
#include <vector>

namespace ringsim {

/// A resolved value of one side.
struct ValueOfSide {
  std::string text;
  std::string origin;  // as ResolvedValue::origin
};

/// A resolved key whose value differs; a side that has no such key is empty.
struct ChangedValue {
  std::string key;
  std::optional<ValueOfSide> a, b;
};

/// One change, as a person wrote it: "model" from llama3-8b to llama3-70b, which changes twenty values.
struct ChangedInput {
  std::string name;               // "parallel.ring"; of a reference the mapping that it stands for: "model"
  std::string part;               // of the scenario: "parallel"
  std::vector<std::string> keys;  // as written on one side or both: "model.use"
  std::string a, b;               // in short
  std::vector<ChangedValue>
      values;  // in the order of the language; each differing key of a scenario belongs to one input
};

}  // namespace ringsim
