#include "scenarios/yaml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace ringsim::scenarios {
namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

bool is_plain_character(char c) {
  return is_letter_or_digit(c) || std::string_view("-_./+%@ ").find(c) != std::string_view::npos;
}

}  // namespace

std::string yaml_text(const std::string& text) {
  const bool word = text == "null" || text == "Null" || text == "NULL" || text == "true" || text == "false";
  if (!text.empty() && is_letter_or_digit(text[0]) && !word && text.back() != ' ' &&
      std::all_of(text.begin(), text.end(), is_plain_character))
    return text;
  std::string result = "\"";
  for (const char c : text) {
    const bool control = static_cast<unsigned char>(c) < 32 || c == 127;
    if (c == '"' || c == '\\') result += '\\';
    result += control ? fmt::format("\\x{:02x}", static_cast<unsigned char>(c)) : std::string(1, c);
  }
  return result + "\"";
}

std::string yaml_comment(std::string_view text) {
  std::string comment;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    comment += line.empty() ? "#\n" : "# " + std::string(line) + "\n";
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return comment;
}

}  // namespace ringsim::scenarios
