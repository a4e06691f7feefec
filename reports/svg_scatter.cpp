#include "reports/svg_scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ringsim::reports {
namespace {

constexpr std::array<std::string_view, 7> colors = {"#4477aa", "#ee6677", "#228833", "#aa3377",
                                                    "#ee7733", "#33aacc", "#b59f2b"};
constexpr double left = 70, top = 16, side = 480, bottom = 52, legend = 200, line = 20;

// Both axes have the same decades, so that the diagonal is one.
struct Decades {
  int first = 0;
  int last = 1;
};

Decades decades_of(const Scatter& plot) {
  double least = 0;
  double most = 0;
  for (const ScatterSeries& series : plot.series) {
    for (const auto& [x, y] : series.points) {
      least = least == 0 ? std::min(x, y) : std::min({least, x, y});
      most = std::max({most, x, y});
    }
  }
  if (most == 0) return {};
  Decades d{static_cast<int>(std::floor(std::log10(least))), static_cast<int>(std::ceil(std::log10(most)))};
  if (d.last == d.first) ++d.last;
  return d;
}

class Axes {
 public:
  explicit Axes(Decades d) : d_(d) {}
  [[nodiscard]] double x(double value) const { return left + side * part(value); }
  [[nodiscard]] double y(double value) const { return top + side * (1.0 - part(value)); }
  [[nodiscard]] const Decades& decades() const { return d_; }

 private:
  [[nodiscard]] double part(double value) const { return (std::log10(value) - d_.first) / (d_.last - d_.first); }
  Decades d_;
};

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '<') {
      result += "&lt;";
    } else if (c == '>') {
      result += "&gt;";
    } else if (c == '&') {
      result += "&amp;";
    } else {
      result += c;
    }
  }
  return result;
}

// Each series of a colour has a mark of its own.
std::string mark(std::size_t series, double x, double y) {
  switch (series / colors.size() % 3) {
    case 0:
      return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.6\"/>", x, y);
    case 1:
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"5\" height=\"5\"/>", x - 2.5, y - 2.5);
    default:
      return fmt::format("<path d=\"M{:.1f} {:.1f}l3.2 5.6h-6.4z\"/>", x, y - 3.4);
  }
}

std::string grid(const Axes& axes) {
  std::string text = "<g class=\"grid\">\n";
  for (int decade = axes.decades().first; decade <= axes.decades().last; ++decade) {
    const double value = std::pow(10.0, decade);
    text += fmt::format("<path d=\"M{0:.1f} {1:.1f}v{2}M{3} {4:.1f}h{2}\"/>\n", axes.x(value), top, side, left,
                        axes.y(value));
  }
  text += "</g>\n<g class=\"label\">\n";
  for (int decade = axes.decades().first; decade <= axes.decades().last; ++decade) {
    const double value = std::pow(10.0, decade);
    const std::string name = decade >= 0 && decade <= 3   ? fmt::format("{:g}", value)
                             : decade < 0 && decade >= -4 ? fmt::format("{:.{}f}", value, -decade)
                                                          : fmt::format("1e{}", decade);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", axes.x(value),
                        top + side + 18, name);
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, axes.y(value) + 4,
                        name);
  }
  return text + "</g>\n";
}

// The band leaves the frame where it is cut by it: the frame clips.
std::string band_and_diagonal(const Axes& axes, double band) {
  const double low = std::pow(10.0, axes.decades().first);
  const double high = std::pow(10.0, axes.decades().last);
  std::string text = "<g clip-path=\"url(#frame)\">\n";
  if (band > 0) {
    text += fmt::format("<path class=\"band\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}z\"/>\n",
                        axes.x(low), axes.y(low * (1 + band)), axes.x(high), axes.y(high * (1 + band)), axes.x(high),
                        axes.y(high * (1 - band)), axes.x(low), axes.y(low * (1 - band)));
  }
  text += fmt::format("<path class=\"diagonal\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", axes.x(low), axes.y(low),
                      axes.x(high), axes.y(high));
  return text + "</g>\n";
}

std::string names_of_axes(const Scatter& plot) {
  const double middle = top + side / 2;
  return fmt::format(
      "<g class=\"label\">\n<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n</g>\n",
      left + side / 2, top + side + 40, escaped(plot.x_label), middle, escaped(plot.y_label));
}

std::string points(const Scatter& plot, const Axes& axes) {
  std::string text;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const std::string_view color = colors[i % colors.size()];
    text += fmt::format("<g fill=\"{}\" fill-opacity=\"0.75\">\n", color);
    for (const auto& [x, y] : plot.series[i].points) text += mark(i, axes.x(x), axes.y(y)) + "\n";
    const double at = top + 10 + line * static_cast<double>(i);
    text += fmt::format("{}</g>\n<text class=\"label\" x=\"{}\" y=\"{}\">{}</text>\n", mark(i, left + side + 20, at),
                        left + side + 30, at + 4, escaped(plot.series[i].name));
  }
  return text;
}

}  // namespace

std::string render_svg(const Scatter& plot) {
  const Axes axes(decades_of(plot));
  const double width = left + side + legend;
  const double height = top + side + bottom;
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>{2}</title>\n",
      width, height, escaped(plot.title));
  text +=
      "<style>\n"
      ".label{fill:#333}.grid{stroke:#8888;stroke-width:.5;fill:none}.band{fill:#8883}"
      ".diagonal{stroke:#888;stroke-width:1;fill:none}\n"
      "@media (prefers-color-scheme:dark){.label{fill:#ddd}}\n"
      "</style>\n";
  text += fmt::format("<clipPath id=\"frame\"><rect x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{2}\"/></clipPath>\n",
                      left, top, side);
  text += grid(axes) + band_and_diagonal(axes, plot.band) + names_of_axes(plot) + points(plot, axes);
  return text + "</svg>\n";
}

}  // namespace ringsim::reports
