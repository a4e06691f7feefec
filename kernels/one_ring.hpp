#pragma once
// What every executor asks of a scenario: one ring of K/V, one way round, and nothing beside it.

#include "models/scenario.hpp"

#include <string_view>

namespace ringsim {

/// `who` begins the sentences: "the host". Throws Error.
void check_one_ring(const Scenario& scenario, std::string_view who);

}  // namespace ringsim
