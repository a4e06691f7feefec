#include "reports/charts/fills.hpp"

#include "reports/charts/drawing.hpp"
#include "reports/charts/tones.hpp"

#include <fmt/format.h>

#include <array>

namespace ringsim::reports {
namespace {

/// Lines on a tile of `size`. Communication that is waited for is a full area with lines in the page's colour; bubbles, where nothing
/// is done, are hollow: lines of the tone on a tint of it.
struct Hatch {
  double size = 0;
  std::string_view lines;
  double thickness = 1;
  bool hollow = true;
};

Hatch hatch_of(Tone tone) {
  switch (tone) {
    case Tone::exposed:
      return {7, "M-1 1L1 -1M0 7L7 0M6 8L8 6", 1.1, false};  // rising
    case Tone::late:
      return {6, "M-1 5L1 7M0 0L6 6M5 -1L7 1", 1.5};  // falling
    case Tone::masked:
      return {5, "M2.5 0V5", 1.5};  // upright
    case Tone::end:
      return {7, "M0 0L7 7M7 0L0 7", 1.1};  // crossed
    default:
      return {};
  }
}

}  // namespace

std::string_view tone_name(Tone tone) { return color_of(tone).name; }

bool has_pattern(Tone tone) { return hatch_of(tone).size > 0; }
bool is_hollow(Tone tone) { return has_pattern(tone) && hatch_of(tone).hollow; }

std::string pattern(const std::string& id, Tone tone) {
  const Hatch hatch = hatch_of(tone);
  const std::string name(tone_name(tone));
  return fmt::format(
      "<pattern id=\"{0}-{1}\" width=\"{2}\" height=\"{2}\" patternUnits=\"userSpaceOnUse\">{3}"
      "<path d=\"{4}\" class=\"{5}\" stroke-width=\"{6}\"/></pattern>\n",
      id, name, px(hatch.size),
      hatch.hollow ? fmt::format("<rect width=\"{0}\" height=\"{0}\" class=\"page\"/>"
                                 "<rect width=\"{0}\" height=\"{0}\" class=\"f-{1}\" fill-opacity=\".25\"/>",
                                 px(hatch.size), name)
                   : fmt::format("<rect width=\"{0}\" height=\"{0}\" class=\"f-{1}\"/>", px(hatch.size), name),
      hatch.lines, hatch.hollow ? "s-" + name : "hatch", px(hatch.thickness));
}

std::string empty_pattern(const std::string& id) {
  return fmt::format(
      "<pattern id=\"{}-nothing\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
      "<rect width=\"8\" height=\"8\" class=\"ground\"/><path d=\"M-1 1L1 -1M0 8L8 0M7 9L9 7\" "
      "class=\"nothing\"/></pattern>\n",
      id);
}

std::string plain_fill(Tone tone, std::string_view classes) {
  return fmt::format("class=\"{}{}f-{}\"", classes, classes.empty() ? "" : " ", tone_name(tone));
}
std::string plain_stroke(Tone tone, std::string_view classes) {
  return fmt::format("class=\"{}{}s-{}\"", classes, classes.empty() ? "" : " ", tone_name(tone));
}

std::string mark_path(std::size_t series, double x, double y, double radius) {
  const double r = radius;
  switch (series % 7) {
    case 0:
      return fmt::format("M{} {}a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0 -{d} 0z", px(x - r), px(y), fmt::arg("r", px(r)),
                         fmt::arg("d", px(2 * r)));
    case 1: {
      const double h = 0.88 * r;
      return fmt::format("M{} {}h{d}v{d}h-{d}z", px(x - h), px(y - h), fmt::arg("d", px(2 * h)));
    }
    case 2:
      return fmt::format("M{} {}L{} {}H{}z", px(x), px(y - 1.2 * r), px(x + 1.1 * r), px(y + 0.8 * r), px(x - 1.1 * r));
    case 3:
      return fmt::format("M{} {}L{} {}L{} {}L{} {}z", px(x), px(y - 1.3 * r), px(x + 1.3 * r), px(y), px(x),
                         px(y + 1.3 * r), px(x - 1.3 * r), px(y));
    case 4:
      return fmt::format("M{} {}L{} {}H{}z", px(x), px(y + 1.2 * r), px(x + 1.1 * r), px(y - 0.8 * r), px(x - 1.1 * r));
    case 5: {  // upright cross
      const double a = 0.45 * r;
      const double b = 1.25 * r;
      return fmt::format("M{} {}h{t}v{s}h{s}v{t}h-{s}v{s}h-{t}v-{s}h-{s}v-{t}h{s}z", px(x - a), px(y - b),
                         fmt::arg("t", px(2 * a)), fmt::arg("s", px(b - a)));
    }
    default:  // hourglass
      return fmt::format("M{} {}H{}L{} {}H{}z", px(x - r), px(y - r), px(x + r), px(x - r), px(y + r), px(x + r));
  }
}

std::string dashes(std::size_t series, Stroke stroke) {
  if (stroke == Stroke::dashed) return "stroke-dasharray=\"6 4\"";
  constexpr std::array<std::string_view, 4> patterns = {"", "", "10 2", "2 2"};
  // Of two series with one mark the strokes differ.
  const std::string_view pattern = patterns[series / 7 % 4];
  return pattern.empty() ? std::string() : fmt::format("stroke-dasharray=\"{}\"", pattern);
}

}  // namespace ringsim::reports
