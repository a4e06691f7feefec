#pragma once
// From points to a Profile: every group is fitted on its own (attention.hpp, merge.hpp, links.hpp, interference.hpp), and
// what the points do not give comes from a base profile and is named. Nothing is invented: without points and without a
// base for a part that a profile cannot do without, there is an Error that says what to measure.

#include "calibrate/fit/report.hpp"
#include "calibrate/points.hpp"
#include "models/profile.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct FitOptions {
  std::string name;             // of the profile
  std::string gpu;              // library name of what it is for
  std::optional<Profile> base;  // for what the points do not give
  std::vector<std::string>
      base_lacks;  // keys of a profile ("forward", "launch", ...) that the base does not give either
  // Of the kernel, known and not fitted; absent: the base's, or of one without tiles that always fills the device.
  std::optional<std::int64_t> query_tile;       // tokens
  std::optional<std::int64_t> key_tile;         // tokens
  std::optional<std::int64_t> multiprocessors;  // that it can fill
  std::map<std::string, Bandwidth> nominal;     // by link class; absent: the best observed
};

struct FitResult {
  Profile profile;
  std::vector<FitReport> reports;            // a group each
  std::map<std::string, Bandwidth> nominal;  // of the links fitted: what the cluster must state
  std::vector<std::string> notes;            // of the fits, a sentence each; the points have their own
};

/// Throws Error where a necessary part is missing: attention of both passes, merges.
[[nodiscard]] FitResult fit_profile(const Points& points, const FitOptions& options);

}  // namespace ringsim::calibrate
