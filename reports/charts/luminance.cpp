#include "reports/charts/luminance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace ringsim::reports {
namespace {

int digit(char c) { return c >= 'a' ? c - 'a' + 10 : c >= 'A' ? c - 'A' + 10 : c - '0'; }

double channel(std::string_view color, std::size_t index) {
  const double value = (digit(color.at(1 + 2 * index)) * 16 + digit(color.at(2 + 2 * index))) / 255.0;
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

}  // namespace

double luminance(std::string_view color) {
  return 0.2126 * channel(color, 0) + 0.7152 * channel(color, 1) + 0.0722 * channel(color, 2);
}

double contrast(std::string_view a, std::string_view b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

std::string_view text_on(std::string_view ground) {
  constexpr std::string_view black = "#000000";
  constexpr std::string_view white = "#ffffff";
  return contrast(ground, white) >= contrast(ground, black) ? white : black;
}

}  // namespace ringsim::reports
