#pragma once
// The names of a torus's dimensions.

#include "models/topology/fabric.hpp"

#include <cstddef>
#include <string>

namespace ringsim {

/// "x", "y", "z", "w"; of a torus of more than four dimensions "d0", "d1", ...
[[nodiscard]] std::string dimension_name(const Torus& torus, std::size_t dimension);

}  // namespace ringsim
