#include "reports/table.hpp"

#include "reports/display.hpp"

#include <algorithm>
#include <string_view>

namespace ringsim::reports {
namespace {

constexpr std::size_t gap = 2;

std::string cell_of(const std::vector<std::string>& row, std::size_t column) {
  return column < row.size() ? printable(row[column]) : std::string();
}

std::vector<std::size_t> widths_of(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < grid.columns.size(); ++column) {
    std::size_t width = display_width(grid.columns[column].header);
    for (const auto& row : grid.rows) width = std::max(width, display_width(cell_of(row, column)));
    widths.push_back(width);
  }
  return widths;
}

std::string without_trailing_spaces(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

/// One line of cells, not coloured.
std::string line_of(const Grid& grid, const std::vector<std::size_t>& widths, const std::vector<std::string>& cells,
                    std::size_t indent) {
  std::string line(indent, ' ');
  std::size_t used = indent;
  for (std::size_t column = 0; column < widths.size(); ++column) {
    const std::string cell = cell_of(cells, column);
    const bool last = column + 1 == widths.size();
    if (grid.columns[column].align == Align::right) {
      line += pad_left(cell, widths[column]);
    } else if (last) {
      line += wrap(cell, page_width, used);
    } else {
      line += pad_right(cell, widths[column]);
    }
    if (!last) line.append(gap, ' ');
    used += widths[column] + gap;
  }
  return without_trailing_spaces(std::move(line));
}

}  // namespace

std::string text_table(const Grid& grid, std::size_t indent, const Style& style) {
  const std::vector<std::size_t> widths = widths_of(grid);
  std::string text;
  std::vector<std::string> headers;
  headers.reserve(grid.columns.size());
  for (const Column& column : grid.columns) headers.push_back(column.header);
  if (std::any_of(headers.begin(), headers.end(), [](const std::string& header) { return !header.empty(); })) {
    text += style.dim(line_of(grid, widths, headers, indent)) + "\n";
  }
  for (const auto& row : grid.rows) text += line_of(grid, widths, row, indent) + "\n";
  return text;
}

std::string text_fields(const Fields& fields, std::size_t indent, const Style& style) {
  std::size_t label_width = 0;
  for (const auto& [label, value] : fields) label_width = std::max(label_width, display_width(label));
  const std::size_t start = indent + label_width + gap;
  std::string text;
  for (const auto& [label, value] : fields) {
    text.append(indent, ' ').append(style.dim(pad_right(label, label_width))).append(gap, ' ');
    text.append(wrap(printable(value), page_width, start)).append("\n");
  }
  return text;
}

std::string markdown_escape(const std::string& text) {
  constexpr std::string_view nbsp = "&nbsp;";  // leading spaces mean that a row is a part of the one above
  std::size_t indented = 0;
  std::string escaped;
  for (const char c : printable(text)) {
    if (c == ' ' && escaped.size() == indented * nbsp.size()) {
      escaped += nbsp;
      ++indented;
      continue;
    }
    if (std::string_view("|\\`*_<[]").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string markdown_table(const Grid& grid) {
  std::string text = "|";
  for (const Column& column : grid.columns) text += " " + markdown_escape(column.header) + " |";
  text += "\n|";
  for (const Column& column : grid.columns) text += column.align == Align::right ? " --: |" : " --- |";
  text += "\n";
  for (const auto& row : grid.rows) {
    text += "|";
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      text += " " + markdown_escape(cell_of(row, column)) + " |";
    }
    text += "\n";
  }
  return text;
}

std::string markdown_section(const std::string& title) { return "\n### " + title + "\n\n"; }

std::string markdown_list(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += "- " + markdown_escape(item) + "\n";
  return text;
}

std::string markdown_fields(const Fields& fields) {
  Grid grid{{{"", Align::left}, {"", Align::left}}, {}};
  for (const auto& [label, value] : fields) grid.rows.push_back({label, value});
  return markdown_table(grid);
}

}  // namespace ringsim::reports
