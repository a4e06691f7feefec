#pragma once
// Writes a profile as a file of its own, in the form of scenarios/library/profiles.

#include "models/profile.hpp"

#include <string>
#include <string_view>

namespace ringsim::scenarios {

/// YAML that read_profile_text() and `profile: {use: FILE}` read back to an equal profile: every number with the digits
/// that tell it from its neighbours, units as in scenarios. `comment` stands on top, each of its lines behind a #; `description` is the one line that
/// `ringsim library` shows.
/// Throws Error, with the key in the message, where a value lies outside of what the language allows (scenarios/spec.hpp),
/// and where a number is not finite or the profile is not calibrated.
[[nodiscard]] std::string format_profile(const Profile& profile, std::string_view comment = {},
                                         std::string_view description = {});

}  // namespace ringsim::scenarios
