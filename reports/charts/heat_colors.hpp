#pragma once
// Colours of heat maps: one hue in steps of equal lightness, from next to the page to far from it, so that the order shows without
// colour too.

#include <cstddef>
#include <string_view>

namespace ringsim::reports {

inline constexpr std::size_t heat_steps = 9;

/// Step 0 is nearest to the page.
[[nodiscard]] std::string_view heat_color(std::size_t step, bool dark);

}  // namespace ringsim::reports
