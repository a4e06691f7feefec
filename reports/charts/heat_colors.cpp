#include "reports/charts/heat_colors.hpp"

#include <array>

namespace ringsim::reports {
namespace {

// CIE L* from 95 to 25, hues about 265 degrees, chroma largest in the middle; on dark pages L* from 20 to 88.
constexpr std::array<std::string_view, heat_steps> light = {"#e8f2fe", "#bcdbfe", "#8dc4fe", "#65adf2", "#4595de",
                                                            "#2c7ec4", "#2167a5", "#205182", "#223c5e"};
constexpr std::array<std::string_view, heat_steps> dark_steps = {"#023350", "#01476c", "#065c88", "#0673a5", "#048ac2",
                                                                 "#23a1dd", "#53b8f0", "#7eceff", "#b9e2fe"};

}  // namespace

std::string_view heat_color(std::size_t step, bool dark) { return dark ? dark_steps.at(step) : light.at(step); }

}  // namespace ringsim::reports
