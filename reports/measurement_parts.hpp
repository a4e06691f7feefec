#pragma once
// What `measure` has to say, as sentences, tables and fields; text_measurement and markdown_measurement lay them out.

#include "calibrate/diagnose.hpp"
#include "calibrate/measurement.hpp"
#include "reports/table.hpp"
#include "reports/verdicts.hpp"
#include "sim/summarize.hpp"

#include <optional>
#include <string>

namespace ringsim::reports {

/// "NAME: prefill attention of 4 layers over 2,048 tokens took 20.12 ms on 2 ranks (median of 10 repeats, between ...)."
[[nodiscard]] std::string measured_answer(const calibrate::Measurement& measurement);

/// The results against plain attention. Not checked is no good news.
[[nodiscard]] Verdict check_verdict(const calibrate::Measurement& measurement);

/// Where and with what, and the work.
[[nodiscard]] Fields measured_setup_fields(const calibrate::Measurement& measurement);

/// The figures that a prediction has as well; absent where waits were not measured.
[[nodiscard]] std::optional<sim::RunSummary> measured_run(const calibrate::Measurement& measurement);

/// Operations by name: count, time a rank, median.
[[nodiscard]] Grid operation_grid(const calibrate::Measurement& measurement);

/// T, C and X and what follows from them, of the slowest rank and of all; no rows where nothing travels.
[[nodiscard]] Grid diagnosis_grid(const calibrate::Diagnosis& diagnosis);

/// Where a run was measured: "host, Xeon ..., 2 cores (as cpu-core)".
[[nodiscard]] std::string device_text(const calibrate::Environment& environment);
/// "1.2.0, commit abc".
[[nodiscard]] std::string version_text(const calibrate::Environment& environment);

}  // namespace ringsim::reports
