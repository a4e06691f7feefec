#pragma once
// The page of `validate`: predicted against measured, operation by operation and over time.

#include "calibrate/compare/comparison.hpp"
#include "calibrate/diagnose.hpp"
#include "calibrate/measurement.hpp"
#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"
#include "sim/spans.hpp"

namespace ringsim::reports {

struct ValidationPage {
  const Scenario& scenario;  // predicted
  const calibrate::Comparison& comparison;
  const calibrate::Diagnosis& diagnosis;
  const calibrate::Measurement& measurement;
  const sim::Timeline& predicted;
  double tolerance = 0.1;
};

[[nodiscard]] HtmlPage validation_page(const ValidationPage& validation, const PageOrigin& origin);

}  // namespace ringsim::reports
