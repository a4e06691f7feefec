#pragma once
// `measure --format markdown`: the text report as GitHub tables.

#include "calibrate/diagnose.hpp"
#include "calibrate/measurement.hpp"

#include <string>

namespace ringsim::reports {

[[nodiscard]] std::string render_markdown(const calibrate::Measurement& measurement,
                                          const calibrate::Diagnosis& diagnosis);

/// The diagnosis as a section; nothing where it has nothing to say.
[[nodiscard]] std::string markdown_diagnosis(const calibrate::Diagnosis& diagnosis);

}  // namespace ringsim::reports
