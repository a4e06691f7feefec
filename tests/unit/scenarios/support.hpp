#pragma once
// What the tests of scenarios/ share.

#include "models/error.hpp"
#include "scenarios/reader.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace ringsim::scenarios::testing {

// This namespace hides GoogleTest's from a source that is compiled in one batch with an includer of this header.
using namespace ::testing;

/// A small legal scenario; `more` is appended.
inline std::string small_scenario(const std::string& more = {}) {
  return "name: small\nmodel: llama3-8b\nworkload: {tokens: 16Ki}\ncluster: dgx-h100\nparallel: {ring: 8}\n" + more;
}

inline Scenario read_text(const std::string& text, const std::vector<std::string>& sets = {}) {
  return read_scenario_text(text, "test.yaml", {}, sets);
}

/// The Error that `action` throws; empty where it throws none.
template <class Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// The resolved value of a key; empty where the scenario has none.
inline std::optional<ResolvedValue> resolved(const Scenario& scenario, const std::string& key) {
  for (const ResolvedValue& value : scenario.resolved) {
    if (value.key == key) return value;
  }
  return std::nullopt;
}

}  // namespace ringsim::scenarios::testing
