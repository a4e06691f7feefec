#pragma once
// What tells tones and series apart besides their colour: patterns of areas, shapes of marks, dashes of lines. Print in grey and readers
// who see fewer colours go by these.

#include "reports/charts/chart.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace ringsim::reports {

/// "exposed": of CSS variables and classes.
[[nodiscard]] std::string_view tone_name(Tone tone);

/// Exposed communication and bubbles: time that is lost.
[[nodiscard]] bool has_pattern(Tone tone);
/// Bubbles: mostly the page's colour.
[[nodiscard]] bool is_hollow(Tone tone);
/// <pattern id="ID-TONE">.
[[nodiscard]] std::string pattern(const std::string& id, Tone tone);
/// <pattern id="ID-NAME"> of thin lines on a quiet ground: where there is nothing to show.
[[nodiscard]] std::string empty_pattern(const std::string& id);

/// Attributes of what is too thin for a pattern: marks of points, and lines.
[[nodiscard]] std::string plain_fill(Tone tone, std::string_view classes);
[[nodiscard]] std::string plain_stroke(Tone tone, std::string_view classes);

/// Path of the mark of the `series`-th series, centred on (x, y): disc, square, triangle, diamond, and so on.
[[nodiscard]] std::string mark_path(std::size_t series, double x, double y, double radius);

/// Attribute with the dashes of the `series`-th line; empty: solid.
[[nodiscard]] std::string dashes(std::size_t series, Stroke stroke);

}  // namespace ringsim::reports
