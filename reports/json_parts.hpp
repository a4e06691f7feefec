#pragma once
// Pieces of JSON that several reports share. Keys keep the order in which they are written; numbers are SI and read
// back as the same double; what a run does not have is null, never left out.

#include "models/scenario.hpp"
#include "sim/prediction.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace ringsim::reports {

using Json = nlohmann::ordered_json;

/// Raised when a key of the JSON output changes its meaning or goes away; added keys do not raise it.
inline constexpr int json_schema_version = 1;

template <class T>
[[nodiscard]] Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

/// {schema_version, ringsim_version, scenario {name, hash}}: how every object starts.
[[nodiscard]] Json json_head(const sim::Prediction& prediction);

[[nodiscard]] Json json_profile(const sim::Prediction& prediction);
[[nodiscard]] Json json_ring(const sim::Prediction& prediction);
[[nodiscard]] Json json_tokens(const sim::Prediction& prediction);

/// {datasheet_tokens, calibrated_tokens, simulated_tokens}; where a value is null, its reason beside it.
[[nodiscard]] Json json_minima(const sim::BlockMinima& minima);

/// {forward, backward, deciding_hop, note}.
[[nodiscard]] Json json_b_min(const sim::Prediction& prediction);

/// One rank's times [s].
[[nodiscard]] Json json_rank(const sim::RankSummary& rank);

/// Indented text with a line end; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string json_text(const Json& json);

}  // namespace ringsim::reports
