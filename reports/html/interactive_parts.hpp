#pragma once
// The files behind interactive charts, as they were when the program was built (cmake/interactive.cmake writes the source).

#include <cstddef>
#include <string_view>

namespace ringsim::reports {

struct InteractiveParts {
  std::string_view versions;  // "vega 6.4.0, vega-lite 6.4.3, vega-embed 7.3.0"
  std::string_view vega, vega_lite, vega_embed;
  std::string_view notices;    // copyright notices of all that is in them
  std::string_view bootstrap;  // our script, which draws with them
  std::string_view style;
};

/// Null in a program that was built without the node packages.
[[nodiscard]] const InteractiveParts* interactive_parts();

}  // namespace ringsim::reports
