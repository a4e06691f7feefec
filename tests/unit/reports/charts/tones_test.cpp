// Colours that everybody can tell apart. Readers without one kind of cones are simulated by the matrices of Machado, Oliveira and
// Fernandes, "A Physiologically-based Model for Simulation of Color Vision Deficiency", IEEE TVCG 15(6), 2009 (severity 1.0), on
// linear RGB; differences are CIE76, distances in CIE L*a*b* under D65, of which about 2.3 can just be seen side by side.
#include "reports/charts/tones.hpp"

#include "reports/charts/heat_colors.hpp"
#include "reports/charts/luminance.hpp"

#include <gtest/gtest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

namespace ringsim::reports {
namespace {

constexpr std::string_view light_page = "#ffffff";
constexpr std::string_view dark_page = "#14181e";
constexpr double least_difference = 14;

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

struct Vision {
  const char* name;
  Matrix matrix;
};
const std::vector<Vision> visions = {
    {"full", {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}},
    {"protanopia",
     {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}}},
    {"deuteranopia",
     {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}},
    {"tritanopia",
     {{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}}},
};

Triple times(const Matrix& m, const Triple& v) {
  Triple result{};
  for (std::size_t i = 0; i < 3; ++i) result[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
  return result;
}

Triple linear_rgb(std::string_view color) {
  Triple rgb{};
  for (std::size_t i = 0; i < 3; ++i) {
    int value = 0;
    std::from_chars(color.data() + 1 + 2 * i, color.data() + 3 + 2 * i, value, 16);
    const double c = value / 255.0;
    rgb[i] = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  }
  return rgb;
}

// IEC 61966-2-1 (sRGB) to XYZ, then CIE 15 to L*a*b*.
Triple lab(const Triple& rgb) {
  const Triple xyz = times(
      {{{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}}}, rgb);
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  const double x = f(xyz[0] / 0.95047);
  const double y = f(xyz[1]);
  const double z = f(xyz[2] / 1.08883);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double difference(std::string_view a, std::string_view b, const Vision& vision) {
  const auto seen = [&](std::string_view color) {
    Triple rgb = times(vision.matrix, linear_rgb(color));
    for (double& c : rgb) c = std::fmin(1, std::fmax(0, c));
    return lab(rgb);
  };
  const Triple p = seen(a);
  const Triple q = seen(b);
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

void expect_told_apart(const std::vector<Tone>& together) {
  for (std::size_t i = 0; i < together.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const ToneColor& a = color_of(together[i]);
      const ToneColor& b = color_of(together[j]);
      for (const Vision& vision : visions) {
        EXPECT_GE(difference(a.light, b.light, vision), least_difference)
            << a.name << ", " << b.name << ", " << vision.name;
        EXPECT_GE(difference(a.dark, b.dark, vision), least_difference)
            << a.name << ", " << b.name << ", dark, " << vision.name;
      }
    }
  }
}

// The measure itself: L* of white is 100 and of black 0. To those without red-sensitive cones red has 0.152 of full red and 0.115 of full
// green, linear: #6d5f00, an olive that looks the same to them.
TEST(Tones, DifferencesAreThoseOfThePublishedFormulas) {
  EXPECT_NEAR(difference("#ffffff", "#000000", visions[0]), 100, 0.01);
  EXPECT_NEAR(difference("#ff0000", "#00ff00", visions[0]), 170.6,
              0.1);  // CIE76 of the primaries, as published tables have it
  EXPECT_LT(difference("#ff0000", "#6d5f00", visions[1]), 3);
  EXPECT_GT(difference("#ff0000", "#6d5f00", visions[0]), 50);
}

// Every part of a bar may be missing, and then any two meet; a timeline's rows hold all of them at once.
TEST(Tones, PartsOfTimeAreToldApartWithAnyColourVision) {
  expect_told_apart({Tone::attention, Tone::merge, Tone::dense, Tone::exposed, Tone::transfer, Tone::collective,
                     Tone::late, Tone::masked, Tone::end});
}

TEST(Tones, SeriesAreToldApartWithAnyColourVision) {
  expect_told_apart({Tone::series_1, Tone::series_2, Tone::series_3, Tone::series_4, Tone::series_5, Tone::series_6,
                     Tone::series_7, Tone::series_8});
  expect_told_apart({Tone::ideal, Tone::limit, Tone::chosen, Tone::series_1, Tone::series_2, Tone::series_3});
}

// WCAG 2.2, 1.4.11: graphics 3 : 1 against what is next to them, the page.
TEST(Tones, MarksStandOutFromThePage) {
  ASSERT_EQ(tone_colors().size(), static_cast<std::size_t>(Tone::series_8) + 1);
  for (const ToneColor& tone : tone_colors()) {
    EXPECT_GE(contrast(tone.light, light_page), 3) << tone.name;
    EXPECT_GE(contrast(tone.dark, dark_page), 3) << tone.name << ", dark";
  }
}

// WCAG 2.2, 1.4.3: text 4.5 : 1. Black on a ground of luminance L has (L + 0.05) / 0.05, white 1.05 / (L + 0.05): the larger of the two is
// least where they are equal, the root of 1.05 / 0.05, 4.58.
TEST(Tones, TextOnAnyToneAndStepIsReadable) {
  for (const ToneColor& tone : tone_colors()) {
    EXPECT_GE(contrast(tone.light, text_on(tone.light)), 4.5) << tone.name;
    EXPECT_GE(contrast(tone.dark, text_on(tone.dark)), 4.5) << tone.name;
  }
  EXPECT_NEAR(contrast("#ffffff", "#000000"), 21, 1e-9);
}

// Steps of a heat map go away from the page in lightness alone, by at least 6 of L*'s 100: an order that shows in grey as well.
TEST(Tones, StepsOfAHeatMapAreInOrderWithAnyColourVision) {
  for (const bool dark : {false, true}) {
    for (std::size_t step = 0; step < heat_steps; ++step) {
      EXPECT_GE(contrast(heat_color(step, dark), text_on(heat_color(step, dark))), 4.5);
      if (step == 0) continue;
      const double before = lab(linear_rgb(heat_color(step - 1, dark)))[0];
      const double here = lab(linear_rgb(heat_color(step, dark)))[0];
      EXPECT_GT(dark ? here - before : before - here, 6) << step;
      for (const Vision& vision : visions) {
        EXPECT_GT(difference(heat_color(step - 1, dark), heat_color(step, dark), vision), 6) << step << vision.name;
      }
    }
  }
}

}  // namespace
}  // namespace ringsim::reports
