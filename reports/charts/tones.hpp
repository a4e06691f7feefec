#pragma once
// The colours of charts: one table for light pages, one for dark ones, in the order of Tone.
//
// Neighbours in a chart differ for readers with any of the common colour-vision deficiencies, and from the page by 3 : 1 or more.
// Palette: Okabe and Ito, "Color Universal Design" (2008); Paul Tol, "Colour Schemes", SRON/EPS/TN/09-002, lightened for dark pages.

#include "reports/charts/chart.hpp"

#include <cstddef>
#include <span>
#include <string_view>

namespace ringsim::reports {

struct ToneColor {
  std::string_view name;   // "attention": the CSS variable is --chart-attention
  std::string_view light;  // "#0072b2", on white
  std::string_view dark;   // on a dark page
};

/// By Tone.
[[nodiscard]] std::span<const ToneColor> tone_colors();
[[nodiscard]] const ToneColor& color_of(Tone tone);

/// The tone of the i-th thing that has no meaning of its own; after eight they begin again.
[[nodiscard]] constexpr Tone series_tone(std::size_t i) {
  constexpr std::size_t series = 8;
  return static_cast<Tone>(static_cast<std::size_t>(Tone::series_1) + i % series);
}

}  // namespace ringsim::reports
