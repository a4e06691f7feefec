#include "reports/markup.hpp"

#include <cstddef>

namespace ringsim::reports {
namespace {

constexpr char32_t replacement = 0xFFFD;
constexpr std::string_view replacement_text = "\xEF\xBF\xBD";

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

bool forbidden_in_xml(char32_t code) {
  if (code == 0x9 || code == 0xA || code == 0xD) return false;
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xFFFE || code == 0xFFFF;
}

}  // namespace

Character first_character(std::string_view text) {
  constexpr Character broken{replacement, 1};
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1};
  // Length and least code: a longer form than needed is not UTF-8.
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return broken;
  char32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned next = byte_at(text, i);
    if ((next & 0xC0U) != 0x80U) return broken;
    code = (code << 6U) | (next & 0x3FU);
  }
  const char32_t least = length == 4 ? 0x10000 : length == 3 ? 0x800 : 0x80;
  if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return broken;
  return {code, length};
}

std::string escape_markup(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Character c = first_character(text);
    switch (c.code) {
      case U'&':
        result += "&amp;";
        break;
      case U'<':
        result += "&lt;";
        break;
      case U'>':
        result += "&gt;";
        break;
      case U'"':
        result += "&quot;";
        break;
      case U'\'':
        result += "&#39;";
        break;
      case U'\r':
        // "\r\n" is one line end: the line feed follows.
        if (text.size() == 1 || text[1] != '\n') result += '\n';
        break;
      default:
        if (c.code == replacement || forbidden_in_xml(c.code)) {
          result += replacement_text;
        } else {
          result += text.substr(0, c.bytes);
        }
    }
    text.remove_prefix(c.bytes);
  }
  return result;
}

}  // namespace ringsim::reports
