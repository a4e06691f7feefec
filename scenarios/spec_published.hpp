#pragma once
// The keys of a set of published measurements, but for `scenario`, whose keys are those of a scenario.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {

[[nodiscard]] const Mapping& published_set_spec();

}  // namespace ringsim::scenarios
