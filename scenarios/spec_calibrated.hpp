#pragma once
// The values that a profile is made of. A calibrated value is {value, uncertainty, origin, source}; a bare value is short
// for {value: ...}, and then counts as assumed. A range is {low, high}.

#include "scenarios/spec.hpp"

namespace ringsim::scenarios {

[[nodiscard]] const Mapping& rate_spec();    // FLOP/s
[[nodiscard]] const Mapping& tokens_spec();  // a number of tokens
[[nodiscard]] const Mapping& duration_spec();
[[nodiscard]] const Mapping& bandwidth_spec();
[[nodiscard]] const Mapping& factor_spec();         // a multiple
[[nodiscard]] const Mapping& share_spec();          // of a nominal value, up to 1
[[nodiscard]] const Mapping& traffic_share_spec();  // of a collective by the ring algorithm, up to 2
[[nodiscard]] const Mapping& progress_spec();       // of the progress made alone, up to 1

[[nodiscard]] const Mapping& byte_range_spec();
[[nodiscard]] const Mapping& number_range_spec();

}  // namespace ringsim::scenarios
