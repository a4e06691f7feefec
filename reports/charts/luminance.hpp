#pragma once
// Contrast of two colours: WCAG 2.2, "relative luminance" and "contrast ratio".

#include <string_view>

namespace ringsim::reports {

/// 0 of black to 1 of white; `color` is "#rrggbb".
[[nodiscard]] double luminance(std::string_view color);

/// (L1 + 0.05) / (L2 + 0.05), L1 the lighter one's: 1 to 21.
[[nodiscard]] double contrast(std::string_view a, std::string_view b);

/// Black or white, whichever is told better from `ground`: at least 4.5 : 1 on any colour.
[[nodiscard]] std::string_view text_on(std::string_view ground);

}  // namespace ringsim::reports
