#pragma once
// Why a plan does not fit, in as few words as a cell of a picture holds.

#include "models/quantity.hpp"

#include <fmt/format.h>

#include <string>

namespace ringsim::sim {

/// "needs 95.3 GB of 80.0 GB"; more digits where rounding would make the two equal.
[[nodiscard]] inline std::string needs_text(Bytes needed, Bytes capacity) {
  for (int digits = 1; digits < 6; ++digits) {
    const std::string need = fmt::format("{:.{}f}", in_gigabytes(needed), digits);
    const std::string have = fmt::format("{:.{}f}", in_gigabytes(capacity), digits);
    if (need != have) return fmt::format("needs {} GB of {} GB", need, have);
  }
  return "needs a little more than there is";
}

}  // namespace ringsim::sim
