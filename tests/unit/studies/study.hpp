#pragma once
// What the tests of studies share. Each study is a question that users have asked (the thread stands in its comment); the tests
// derive the right answer by hand and hold the prediction to it.

#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ringsim::studies {

inline Scenario study(const std::string& name, const std::vector<std::string>& sets = {}) {
  return scenarios::read_scenario(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/" + name + ".yaml", sets);
}

inline sim::Prediction predicted(const std::string& name, const std::vector<std::string>& sets = {}) {
  return sim::predict(study(name, sets), {}).prediction;
}

/// The mistake that a study becomes by these changes; absent where it is legal.
inline std::optional<Error> refusal(const std::string& name, const std::vector<std::string>& sets) {
  try {
    static_cast<void>(study(name, sets));
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

}  // namespace ringsim::studies
