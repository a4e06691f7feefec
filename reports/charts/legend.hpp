#pragma once
// What colours and marks stand for: entries side by side, in as many lines as the width asks for.

#include "reports/charts/drawing.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace ringsim::reports {

enum class KeyShape { area, line, mark };

struct LegendEntry {
  std::string name;
  Tone tone = Tone::series_1;
  KeyShape shape = KeyShape::area;
  std::size_t series = 0;         // of lines and marks: which dashes, which mark
  Stroke stroke = Stroke::solid;  // of lines
  bool marked = false;            // of lines: with its mark
};

/// Draws entries from `top` downwards between x = `left` and `right`, each in a line of its own where it is a `column`; returns where the
/// next thing may begin.
double draw_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, double left, double right, double top,
                   bool column = false);

}  // namespace ringsim::reports
