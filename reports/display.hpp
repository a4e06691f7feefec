#pragma once
// UTF-8 text on a terminal: how many columns it takes, how it is broken into lines, and what must not reach it.

#include <cstddef>
#include <string>
#include <string_view>

namespace ringsim::reports {

/// Columns that `text` takes on a terminal: combining marks none, East Asian wide characters and emoji two. Escape
/// sequences for colour count as text: measure before colouring.
[[nodiscard]] std::size_t display_width(std::string_view text);

/// `text` without control characters (names come from users' files): tabs and line ends become spaces, others "?".
[[nodiscard]] std::string printable(std::string_view text);

/// Spaces on the right, or on the left, up to `width` columns; a longer text stays whole.
[[nodiscard]] std::string pad_right(std::string_view text, std::size_t width);
[[nodiscard]] std::string pad_left(std::string_view text, std::size_t width);

/// Breaks text that starts in column `indent` at spaces, so that lines end by column `width`; lines after the first get
/// `indent` spaces. A number stays with the word after it ("18.00 s");
/// what is longer than a line stays whole. No line end after the last line.
[[nodiscard]] std::string wrap(std::string_view text, std::size_t width, std::size_t indent);

/// Widest line that text for people has [columns].
inline constexpr std::size_t page_width = 100;

}  // namespace ringsim::reports
