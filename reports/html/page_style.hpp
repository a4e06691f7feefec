#pragma once
// The look of a page: light, dark and printed; from 320 pixels on.

#include <string_view>

namespace ringsim::reports {

[[nodiscard]] std::string_view page_style();

}  // namespace ringsim::reports
