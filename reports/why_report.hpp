#pragma once
// `why`: the critical path, where the time on it goes, the cycle of the steady state, and what changes would do.

#include "models/scenario.hpp"
#include "reports/style.hpp"
#include "sim/critical/explanation.hpp"

#include <string>

namespace ringsim::reports {

struct WhyReport {
  const sim::Explanation& explanation;
  const Scenario& scenario;
};

[[nodiscard]] std::string render_why_text(const WhyReport& report, const Style& style);
[[nodiscard]] std::string render_why_markdown(const WhyReport& report);

/// Head, engine, seed, profile, makespan_s, shares, path, cycle, sensitivities, advice. Of a path its first stretches (the number of all is
/// beside them).
[[nodiscard]] std::string render_why_json(const WhyReport& report);

/// A row a share of the time, then a row a parameter: column `of` says which.
[[nodiscard]] std::string render_why_csv(const WhyReport& report);

}  // namespace ringsim::reports
