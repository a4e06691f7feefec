#include "reports/charts/legend.hpp"

#include "reports/charts/fills.hpp"
#include "reports/charts/text_widths.hpp"

#include <fmt/format.h>

namespace ringsim::reports {
namespace {

constexpr double line_height = 18, entry_gap = 16, text_gap = 6;

double key_width(const LegendEntry& entry) {
  return entry.shape == KeyShape::area ? 12 : entry.shape == KeyShape::line ? 22 : 10;
}

// Keys are no marks of the chart: they do not count as such.
void draw_key(Drawing& drawing, const LegendEntry& entry, double x, double middle) {
  const double width = key_width(entry);
  if (entry.shape == KeyShape::area) {
    drawing.rect({x, middle - 6, width, 12}, drawing.fill_of(entry.tone, ""));
    return;
  }
  if (entry.shape == KeyShape::line) {
    drawing.path(
        fmt::format("M{} {}h{}", px(x), px(middle), px(width)),
        fmt::format("{} stroke-width=\"2\" {}", plain_stroke(entry.tone, ""), dashes(entry.series, entry.stroke)));
  }
  if (entry.shape == KeyShape::mark || entry.marked) {
    drawing.path(mark_path(entry.series, x + width / 2, middle, 3.5), plain_fill(entry.tone, ""));
  }
}

}  // namespace

double draw_legend(Drawing& drawing, const std::vector<LegendEntry>& entries, double left, double right, double top,
                   bool column) {
  if (entries.empty()) return top;
  drawing.open_decoration("key");
  double x = left;
  double y = top;
  for (const LegendEntry& entry : entries) {
    const double key = key_width(entry) + text_gap;
    const std::string name = shortened(entry.name, right - left - key);
    const double width = key + text_width(name);
    if (x > left && (column || x + width > right)) {
      x = left;
      y += line_height;
    }
    draw_key(drawing, entry, x, y + line_height / 2);
    drawing.text(x + key, y + line_height / 2 + 4, name);
    x += width + entry_gap;
  }
  drawing.close();
  return y + line_height + 6;
}

}  // namespace ringsim::reports
