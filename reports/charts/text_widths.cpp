#include "reports/charts/text_widths.hpp"

#include "reports/markup.hpp"

#include <array>

namespace ringsim::reports {
namespace {

// Advance widths of DejaVu Sans [1/100 em], U+0020 to U+007E, as a browser measures them.
constexpr std::array<int, 95> ascii = {32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36,  32, 34, 64, 64, 64,
                                       64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53, 100, 68, 69, 70, 77, 63,
                                       58, 77, 75, 29, 29, 66, 56, 86, 75, 79, 60, 79, 69, 63,  61, 73, 68, 99, 69,
                                       61, 69, 39, 34, 39, 84, 50, 50, 61, 63, 55, 63, 62, 35,  63, 63, 28, 28, 58,
                                       28, 97, 63, 61, 63, 63, 41, 52, 39, 63, 59, 82, 59, 59,  52, 64, 34, 64, 84};

double ems(char32_t code) {
  if (code >= 0x20 && code < 0x7F) return ascii[code - 0x20] / 100.0;
  if (code < 0x20 || (code >= 0x300 && code < 0x370) || (code >= 0x200B && code <= 0x200F) ||
      (code >= 0xFE00 && code <= 0xFE0F)) {
    return code == '\n' || code == '\t' ? 0.32 : 0.0;  // marks on the character before, and what has no width
  }
  if (code < 0x1100) return 0.68;
  return code < 0x2E80 ? 0.85 : code < 0x1F000 ? 1.0 : 1.3;
}

}  // namespace

double text_width(std::string_view text, double size) {
  double sum = 0;
  while (!text.empty()) {
    const Character c = first_character(text);
    sum += ems(c.code);
    text.remove_prefix(c.bytes);
  }
  return sum * size;
}

std::string shortened(std::string_view text, double width, double size) {
  if (text_width(text, size) <= width) return std::string(text);
  const double room = width / size - ems(0x2026);
  double sum = 0;
  std::size_t end = 0;
  while (end < text.size()) {
    const Character c = first_character(text.substr(end));
    sum += ems(c.code);
    if (sum > room) break;
    end += c.bytes;
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  if (end == 0) return {};
  return std::string(text.substr(0, end)) + "…";
}

std::vector<std::string> broken_lines(std::string_view text, double width, std::size_t most, double size) {
  std::vector<std::string> lines;
  while (!text.empty() && lines.size() < most) {
    if (lines.size() + 1 == most || text_width(text, size) <= width) {
      if (std::string last = shortened(text, width, size); !last.empty()) lines.push_back(std::move(last));
      break;
    }
    std::size_t end = text.find(' ');
    for (std::size_t next = end; next != std::string_view::npos; next = text.find(' ', next + 1)) {
      if (text_width(text.substr(0, next), size) > width) break;
      end = next;
    }
    // A word that is too long takes a line, cut short.
    if (std::string line = shortened(text.substr(0, end), width, size); !line.empty()) lines.push_back(std::move(line));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace ringsim::reports
