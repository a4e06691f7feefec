#pragma once
// The medians of an earlier run, as a file, and whether a later run is worse: a model that was changed for one set must not
// lose another.

#include "calibrate/suite/suite.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

/// By how much a median may grow, as a fraction: a percentage point.
inline constexpr double allowed_growth = 0.01;

/// {"schema_version": 1, "median_error": {"meta-t4": 0.031, ...}}: of the sets that are scored, by the whole model. Rounded up to
/// 1e-4, so that a last bit changes nothing.
[[nodiscard]] std::string medians_json(const SuiteResult& result);
/// Throws Error for anything else.
[[nodiscard]] std::map<std::string, double> read_medians(std::string_view text, const std::string& file);

struct GrownMedian {
  std::string name;
  double committed = 0;
  double now = 0;
};
/// Sets whose median has grown by more than allowed. A set that the file does not know counts as grown from 0, since nobody
/// would notice how bad it becomes.
[[nodiscard]] std::vector<GrownMedian> grown_medians(const SuiteResult& result,
                                                     const std::map<std::string, double>& committed);

}  // namespace ringsim::calibrate
