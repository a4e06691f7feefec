#pragma once
// A sentence of advice that follows from the numbers of an explanation.

#include "models/scenario.hpp"
#include "sim/critical/explanation.hpp"

#include <string>

namespace ringsim::sim {

[[nodiscard]] std::string advice_of(const Explanation& explanation, const Scenario& scenario);

}  // namespace ringsim::sim
