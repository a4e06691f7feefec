#include "reports/display.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ringsim::reports {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// The blocks that matter for names and units; not all of Unicode.
constexpr std::array<Range, 6> zero_width = {
    {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}}};
constexpr std::array<Range, 9> double_width = {{{0x1100, 0x115F},
                                                {0x2E80, 0x303E},
                                                {0x3041, 0xA4CF},
                                                {0xAC00, 0xD7A3},
                                                {0xF900, 0xFAFF},
                                                {0xFE30, 0xFE6F},
                                                {0xFF00, 0xFF60},
                                                {0xFFE0, 0xFFE6},
                                                {0x1F300, 0x1FAFF}}};

template <std::size_t Count>
bool within(const std::array<Range, Count>& ranges, std::uint32_t point) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [point](Range range) { return range.first <= point && point <= range.last; });
}

/// Bytes of the code point that starts with `lead`; a stray byte counts as one.
std::size_t length_of(unsigned char lead) {
  if (lead >= 0xF0) return 4;
  if (lead >= 0xE0) return 3;
  return lead >= 0xC0 ? 2 : 1;
}

std::uint32_t code_point(std::string_view bytes) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (bytes.size() == 1) return lead;
  std::uint32_t point = lead & (0xFFU >> (bytes.size() + 1));
  for (const char byte : bytes.substr(1)) point = (point << 6U) | (static_cast<unsigned char>(byte) & 0x3FU);
  return point;
}

/// Where the first word ends: at a space, but a number and what it counts are one word.
std::size_t end_of_word(std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return text.size();
  const bool number = space > 0 && text[space - 1] >= '0' && text[space - 1] <= '9';
  return number ? std::min(text.find(' ', space + 1), text.size()) : space;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::size_t length = std::min(length_of(static_cast<unsigned char>(text.front())), text.size());
    const std::uint32_t point = code_point(text.substr(0, length));
    text.remove_prefix(length);
    if (!within(zero_width, point)) width += within(double_width, point) ? 2U : 1U;
  }
  return width;
}

std::string printable(std::string_view text) {
  std::string clean(text);
  for (char& c : clean) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t' || c == '\n' || c == '\r') {
      c = ' ';
    } else if (byte < 0x20 || byte == 0x7F) {
      c = '?';
    }
  }
  return clean;
}

std::string pad_right(std::string_view text, std::size_t width) {
  std::string padded(text);
  padded.append(width - std::min(width, display_width(text)), ' ');
  return padded;
}

std::string pad_left(std::string_view text, std::size_t width) {
  std::string padded(width - std::min(width, display_width(text)), ' ');
  padded.append(text);
  return padded;
}

std::string wrap(std::string_view text, std::size_t width, std::size_t indent) {
  constexpr std::size_t least = 24;  // columns that are worth wrapping into
  width = std::max(width, indent + least);
  std::string lines;
  std::size_t used = indent;
  bool at_start = true;
  while (!text.empty()) {
    const std::size_t end = end_of_word(text);
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t columns = display_width(word);
    if (!at_start && used + 1 + columns > width) {
      lines.append("\n").append(indent, ' ');
      used = indent;
    } else if (!at_start) {
      lines += ' ';
      ++used;
    }
    lines.append(word);
    used += columns;
    at_start = false;
  }
  return lines;
}

}  // namespace ringsim::reports
