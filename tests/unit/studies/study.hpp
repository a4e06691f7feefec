#pragma once
// What the tests of studies share. Each study is a question that users have asked (the thread stands in its comment); the tests
// derive the right answer by hand and hold the prediction to it.

#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <fmt/format.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringsim::studies {

/// As given to --set.
struct Sets {
  Sets() = default;
  Sets(std::initializer_list<std::string_view> texts) : all(texts.begin(), texts.end()) {}
  Sets(std::vector<std::string> texts) : all(std::move(texts)) {}  // NOLINT(google-explicit-constructor)
  std::vector<std::string> all;
};

inline Scenario study(const std::string& name, const Sets& sets = {}) {
  return scenarios::read_scenario(fmt::format("{}/scenarios/studies/{}.yaml", RINGSIM_SOURCE_DIR, name), sets.all);
}

inline sim::Prediction predicted(const std::string& name, const Sets& sets = {}) {
  return sim::predict(study(name, sets), {}).prediction;
}

/// The mistake that a study becomes by these changes; absent where it is legal.
inline std::optional<Error> refusal(const std::string& name, const Sets& sets) {
  try {
    static_cast<void>(study(name, sets));
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace ringsim::studies
