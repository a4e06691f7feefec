#pragma once
// A timeline's window in words: "the first 8 of 4,096 ranks; layer 40 of 80; steps 2048 to 2051 of 4,096".

#include "sim/spans.hpp"

#include <string>

namespace ringsim::reports {

/// What of the run the timeline holds; "the whole run" where it is all of it. Ranks, layers and steps are numbered from 0.
[[nodiscard]] std::string window_text(const sim::Timeline& timeline);

}  // namespace ringsim::reports
