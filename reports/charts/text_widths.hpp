#pragma once
// How wide text will be in a picture. What font a reader's machine has is not known, so widths are estimated by those of DejaVu Sans, which
// is wider than the fonts that most systems have: text may come out narrower, hardly wider. East Asian characters and emoji count one em.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

/// [CSS pixels]; `size` is that of the font.
[[nodiscard]] double text_width(std::string_view text, double size = 12);

/// `text` if it fits, else its beginning and "…"; empty where not even one character fits.
[[nodiscard]] std::string shortened(std::string_view text, double width, double size = 12);

/// Lines broken at spaces, at most `most`; what does not fit is shortened.
[[nodiscard]] std::vector<std::string> broken_lines(std::string_view text, double width, std::size_t most,
                                                    double size = 12);

}  // namespace ringsim::reports
