#pragma once
// `measure` for people on a terminal.

#include "calibrate/diagnose.hpp"
#include "calibrate/measurement.hpp"
#include "reports/style.hpp"

#include <string>

namespace ringsim::reports {

/// The answer, what follows from it, then aligned sections: setup, time, ranks, operations, diagnosis, notes. Sections for
/// which an import has no data are left out.
[[nodiscard]] std::string render_text(const calibrate::Measurement& measurement, const calibrate::Diagnosis& diagnosis,
                                      const Style& style);

/// The sentences and figures of a diagnosis under a heading; nothing where it has nothing to say.
[[nodiscard]] std::string diagnosis_section(const calibrate::Diagnosis& diagnosis, const Style& style);

}  // namespace ringsim::reports
