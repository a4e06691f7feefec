#include "reports/charts/tones.hpp"

#include <array>
#include <cstddef>

namespace ringsim::reports {
namespace {

// Hues after Okabe and Ito, and Tol; lightness and chroma chosen so that the least difference of any two that meet is as large as it gets,
// for readers with and without colour-vision deficiencies (tests/unit/reports/charts/tones_test.cpp holds them to it).
constexpr std::array<ToneColor, 20> colors = {{
    {"attention", "#005bba", "#0aa9ff"},   //
    {"merge", "#009ec9", "#407f94"},       //
    {"dense", "#759d5e", "#95ec7e"},       //
    {"exposed", "#cd3921", "#d4640c"},     //
    {"transfer", "#e37406", "#ffb100"},    //
    {"collective", "#55126e", "#a95cc5"},  //
    {"late", "#9c8f8a", "#f7d6ca"},        //
    {"masked", "#223937", "#9fa0a0"},      //
    {"end", "#615477", "#ced5ff"},         //
    {"ideal", "#474747", "#a9aea3"},       //
    {"limit", "#a7262c", "#ed464a"},       //
    {"chosen", "#b14080", "#f085d6"},      //
    {"series-1", "#0054a6", "#0080f7"},    //
    {"series-2", "#de7700", "#e77027"},    //
    {"series-3", "#6e9d55", "#b5eaba"},    //
    {"series-4", "#9b77e8", "#8d6a9a"},    //
    {"series-5", "#00a0b5", "#2ed4ff"},    //
    {"series-6", "#a8636a", "#b55c69"},    //
    {"series-7", "#533c07", "#dfe378"},    //
    {"series-8", "#f33f3e", "#fec31f"},    //
}};
static_assert(colors.size() == static_cast<std::size_t>(Tone::series_8) + 1);

}  // namespace

std::span<const ToneColor> tone_colors() { return colors; }

const ToneColor& color_of(Tone tone) { return colors.at(static_cast<std::size_t>(tone)); }

}  // namespace ringsim::reports
