#pragma once
// The calibrated values of a profile by name, to ask of each what its uncertainty does to a result.
//
// A value moved by its uncertainty u makes what it costs (1 + u) or (1 - u) times as long, as far as it decides it:
//   a cost (latency, launch, half_depth, traffic)   x · (1 ± u)
//   a rate, efficiency or share                     x / (1 ± u),  efficiencies and shares at most 1
// A size-dependent link moves with its efficiency: all its knots by the same factor.

#include "models/profile.hpp"

#include <string>
#include <vector>

namespace ringsim {

/// What a calibrated value is of.
enum class ProfilePart {
  forward,
  backward,
  launch,
  merge,
  event_latency,
  link,
  sm_kernel,
  copy_engine,
  gemm,        // matrix products
  memory,      // passes over memory
  collective,  // measured collectives over one class of links
};

/// A calibrated value that is not known exactly.
struct ProfileParameter {
  std::string name;  // as in profile files: "forward.saturated", "links.ib-ndr.efficiency"
  ProfilePart part = ProfilePart::forward;
  std::string link_class;  // of a link's, or of the links of a collective
  double relative_uncertainty = 0.0;
};

/// All values with an uncertainty, in the order of Profile. One that is zero is left out: no factor moves it.
[[nodiscard]] std::vector<ProfileParameter> uncertain_parameters(const Profile& profile);

/// The profile with that one value moved by its uncertainty: slower (+1) or faster (-1).
[[nodiscard]] Profile moved(const Profile& profile, const ProfileParameter& parameter, int direction);

}  // namespace ringsim
