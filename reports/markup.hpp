#pragma once
// Text in HTML and SVG. Names come from users' files: whatever is in them has to show as it is and do nothing.

#include <cstddef>
#include <string>
#include <string_view>

namespace ringsim::reports {

/// `text` for the content of an element or for an attribute in quotes, in HTML and in XML: & < > " ' become references. What is not
/// UTF-8, and characters that XML forbids or discourages (control characters, U+FFFE, U+FFFF), become U+FFFD; tabs and line ends
/// stay, a carriage return becomes one.
/// XML 1.0 (fifth edition), 2.2 "Characters"; Unicode 15, 3.9 "UTF-8" (table 3-7).
[[nodiscard]] std::string escape_markup(std::string_view text);

/// Characters of UTF-8 text, one by one, for those who measure or shorten it; what is not UTF-8 comes as U+FFFD, a byte at a time.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 0;  // that it takes in the text
};
[[nodiscard]] Character first_character(std::string_view text);

}  // namespace ringsim::reports
