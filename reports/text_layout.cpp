#include "reports/text_layout.hpp"

#include "reports/display.hpp"
#include "reports/humanise.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace ringsim::reports {
namespace {

/// Columns for each part: proportional, summing to `width`, and at least one for what is not zero.
std::array<std::size_t, 3> columns_of(std::array<double, 3> parts, std::size_t width) {
  const double sum = parts[0] + parts[1] + parts[2];
  std::array<std::size_t, 3> columns{};
  if (!(sum > 0.0)) return columns;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double share = parts[i] / sum * static_cast<double>(width);
    columns[i] = parts[i] > 0.0 ? std::max<std::size_t>(1, static_cast<std::size_t>(std::llround(share))) : 0;
  }
  const auto largest = static_cast<std::size_t>(std::max_element(columns.begin(), columns.end()) - columns.begin());
  const std::size_t others = columns[0] + columns[1] + columns[2] - columns[largest];
  columns[largest] = width - std::min(width, others);
  return columns;
}

std::string repeated(std::string_view symbol, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += symbol;
  return text;
}

}  // namespace

std::string heading(const std::string& title, const std::string& note, const Style& style) {
  return "\n" + style.bold(title) + (note.empty() ? "" : style.dim(" (" + note + ")")) + "\n";
}

std::string paragraph(const std::string& text, std::size_t indent) {
  return std::string(indent, ' ') + wrap(printable(text), page_width, indent) + "\n";
}

std::string verdict_line(const Verdict& verdict, const Style& style) {
  const std::string text = wrap(printable(verdict.text), page_width, 2);
  return "  " + (verdict.good ? style.good(text) : style.bad(text)) + "\n";
}

std::string warnings_section(const std::vector<std::string>& warnings, const Style& style) {
  if (warnings.empty()) return {};
  std::string text = heading("Warnings", "", style);
  for (const std::string& warning : warnings) {
    text += "  " + style.caution("!") + " " + wrap(printable(warning), page_width, 4) + "\n";
  }
  return text;
}

std::string notes_section(const std::vector<std::string>& notes, const Style& style) {
  if (notes.empty()) return {};
  std::string text = heading("Notes", "", style);
  for (const std::string& note : notes) text += "  - " + wrap(printable(note), page_width, 4) + "\n";
  return text;
}

std::string footnotes(const std::vector<std::string>& notes, const Style& style) {
  std::string text = notes.empty() ? "" : "\n";
  for (const std::string& note : notes) text += "  " + style.dim(wrap(printable(note), page_width, 4)) + "\n";
  return text;
}

std::string share_bar(const sim::RunSummary& run, std::size_t width, const Style& style) {
  const auto columns = columns_of({run.compute_s, run.exposed_communication_s, run.bubble_s}, width);
  std::string text = "  " + style.good(repeated("█", columns[0])) + style.bad(repeated("▒", columns[1])) +
                     style.caution(repeated("░", columns[2])) + "\n";
  return text + "  " + style.dim("█ compute  ▒ exposed communication  ░ bubble") + "\n";
}

}  // namespace ringsim::reports
