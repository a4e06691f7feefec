#pragma once
// Reading what `ringsim measure` wrote: kind "ringsim-measurement". reports/json_measurement writes it.

#include "calibrate/measurement.hpp"

#include <string>
#include <string_view>

namespace ringsim::calibrate {

/// The file's own name and version, checked before anything else.
inline constexpr const char* measurement_kind = "ringsim-measurement";
inline constexpr int measurement_schema_version = 1;

/// Whether the text says of itself, near its start, that it is a measurement; no more is looked at.
[[nodiscard]] bool is_measurement(std::string_view text);

/// "attention" | "merge" | "transfer".
[[nodiscard]] const char* name_of(sim::SpanKind kind);

/// The measurement in `text`. Throws Error, with the JSON pointer in `where`, for another kind or version, missing or
/// unknown keys, wrong types, negative times, ranks, layers or steps out of range, spans outside of the makespan and an
/// operation that is there twice. `file` names the text in errors.
[[nodiscard]] Measurement read_measurement(std::string_view text, const std::string& file);

}  // namespace ringsim::calibrate
