#include "reports/charts/fills.hpp"
#include "reports/charts/heat_colors.hpp"
#include "reports/charts/luminance.hpp"
#include "reports/charts/svg.hpp"
#include "reports/charts/tones.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace ringsim::reports {
namespace {

/// Colours of what is no mark.
struct Furniture {
  std::string_view name, light, dark;
};
constexpr std::array<Furniture, 6> furniture = {{
    {"page", "#ffffff", "#14181e"},
    {"ink", "#1c2128", "#e6e9ee"},
    {"quiet", "#57606a", "#a3adba"},
    {"grid", "#dfe3e8", "#2b323c"},
    {"frame", "#8b949e", "#6b7682"},
    {"ground", "#f3f4f6", "#1d232b"},
}};

std::string variables(bool dark) {
  std::string text;
  for (const Furniture& part : furniture) {
    text += fmt::format("--chart-{}:{};", part.name, dark ? part.dark : part.light);
  }
  for (const ToneColor& tone : tone_colors()) {
    const std::string_view color = dark ? tone.dark : tone.light;
    text += fmt::format("--chart-{0}:{1};--chart-on-{0}:{2};", tone.name, color, text_on(color));
  }
  for (std::size_t step = 0; step < heat_steps; ++step) {
    const std::string_view color = heat_color(step, dark);
    text += fmt::format("--chart-heat-{0}:{1};--chart-on-heat-{0}:{2};", step, color, text_on(color));
  }
  return text;
}

}  // namespace

std::string chart_style() {
  std::string text = fmt::format(
      ":root{{{}}}\n"
      "@media screen and (prefers-color-scheme:dark){{:root{{{}}}}}\n",
      variables(false), variables(true));
  text +=
      ".chart{display:block;max-width:100%;height:auto;color-scheme:light dark;print-color-adjust:exact;"
      "-webkit-print-color-adjust:exact}\n"
      ".chart text{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,\"Helvetica Neue\",Arial,\"Noto "
      "Sans\",sans-serif;"
      "fill:var(--chart-ink);stroke:none;font-variant-numeric:tabular-nums}\n"
      ".chart .small{font-size:11px}.chart .quiet{fill:var(--chart-quiet)}.chart .strong{font-weight:600}\n"
      ".chart .title{font-size:15px;font-weight:600}\n"
      ".chart .halo{paint-order:stroke;stroke:var(--chart-page);stroke-width:4px;stroke-linejoin:round}\n"
      ".chart .page{fill:var(--chart-page)}\n"
      ".chart .grid{stroke:var(--chart-grid);fill:none;shape-rendering:crispEdges}\n"
      ".chart .frame{stroke:var(--chart-frame);fill:none;shape-rendering:crispEdges}\n"
      ".chart .band{fill:var(--chart-frame);fill-opacity:.18}\n"
      ".chart .diagonal{stroke:var(--chart-quiet);fill:none}\n"
      ".chart .ground{fill:var(--chart-ground)}.chart .nothing{stroke:var(--chart-frame);stroke-width:.8;fill:none}\n"
      ".chart .on-nothing{paint-order:stroke;stroke:var(--chart-ground);stroke-width:4px;stroke-linejoin:round}\n"
      ".chart .hatch{stroke:var(--chart-page);stroke-opacity:.75;fill:none}\n"
      ".chart .point{stroke:var(--chart-page);stroke-width:.8}.chart .seam{stroke:var(--chart-page);fill:none}\n"
      ".chart .chosen{stroke:var(--chart-chosen);stroke-width:3;fill:none}\n";
  for (const ToneColor& tone : tone_colors()) {
    text += fmt::format(
        ".chart .f-{0}{{fill:var(--chart-{0})}}.chart .s-{0}{{stroke:var(--chart-{0});fill:none}}"
        ".chart .on-{0}{{fill:var(--chart-on-{0})}}\n",
        tone.name);
  }
  // Labels on a pattern stand on a halo of what is under it.
  for (const ToneColor& tone : tone_colors()) {
    const auto which = static_cast<Tone>(&tone - tone_colors().data());
    if (!has_pattern(which)) continue;
    text += is_hollow(which) ? fmt::format(".chart .on-{}{{fill:var(--chart-ink);", tone.name)
                             : fmt::format(".chart .on-{}{{", tone.name);
    text += fmt::format("paint-order:stroke;stroke:var(--chart-{});stroke-width:5px;stroke-linejoin:round}}\n",
                        is_hollow(which) ? "page" : tone.name);
  }
  for (std::size_t step = 0; step < heat_steps; ++step) {
    text += fmt::format(
        ".chart .heat-{0}{{fill:var(--chart-heat-{0})}}.chart .on-heat-{0}{{fill:var(--chart-on-heat-{0})}}\n", step);
  }
  return text;
}

}  // namespace ringsim::reports
