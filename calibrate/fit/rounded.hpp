#pragma once
// Fitted numbers have as many digits as a double; a file for people should not suggest that they are all known.

#include "models/profile.hpp"

namespace ringsim::calibrate {

/// The profile with its values rounded to five significant digits, a change of at most 0.005 %, and its uncertainties to two, never
/// down.
[[nodiscard]] Profile rounded(Profile profile);

}  // namespace ringsim::calibrate
