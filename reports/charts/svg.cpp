#include "reports/charts/svg.hpp"

#include "reports/charts/chart_check.hpp"
#include "reports/charts/drawing.hpp"
#include "reports/charts/svg_kinds.hpp"
#include "reports/charts/text_widths.hpp"

#include <stdexcept>
#include <variant>

namespace ringsim::reports {
namespace {

constexpr double least_width = 320, titled_top = 30, plain_top = 4;

std::string picture(const Chart& chart, const SvgOptions& options, bool file) {
  check_chart(chart);
  ChartWords words = words_of(chart);
  if (!(options.width >= least_width)) throw std::logic_error("chart \"" + words.title + "\": drawn too narrow");
  Drawing drawing(options.id, options.width, file ? titled_top : plain_top);
  std::string style;
  if (file) {
    // A file stands alone: its title has to be seen.
    style = chart_style();
    drawing.open_decoration("head");
    drawing.text(8, 20, shortened(words.title, options.width - 16, 16), {.classes = "title"});
    drawing.close();
  }
  const Drawn drawn = std::visit([&](const auto& kind) { return draw(kind, drawing); }, chart);
  if (!drawn.remark.empty()) words.description += (words.description.empty() ? "" : " ") + drawn.remark;
  return drawing.finish(words, drawn.height, style);
}

}  // namespace

std::string svg(const Chart& chart, const SvgOptions& options) { return picture(chart, options, false); }
std::string svg_file(const Chart& chart, const SvgOptions& options) { return picture(chart, options, true); }

}  // namespace ringsim::reports
