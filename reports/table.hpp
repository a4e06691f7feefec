#pragma once
// Tables as data, so that the terminal and Markdown show the same rows: a Grid of cells under headers, and Fields of
// labels with their values.

#include "reports/style.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace ringsim::reports {

enum class Align { left, right };

struct Column {
  std::string header;
  Align align = Align::left;
};

struct Grid {
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns; missing ones are empty
};

/// Labels and values in reading order.
using Fields = std::vector<std::pair<std::string, std::string>>;

/// Aligned columns two spaces apart, every line indented by `indent`. A last column that is aligned to the left is
/// wrapped at the page's width. Headers are dim; an empty header row is left out. Ends with a line end.
[[nodiscard]] std::string text_table(const Grid& grid, std::size_t indent, const Style& style);

/// The same for labels: values start in one column and are wrapped.
[[nodiscard]] std::string text_fields(const Fields& fields, std::size_t indent, const Style& style);

/// A GitHub table: `|` and what Markdown or HTML would take for markup is escaped, numbers are aligned to the right.
[[nodiscard]] std::string markdown_table(const Grid& grid);
[[nodiscard]] std::string markdown_fields(const Fields& fields);

/// A section's heading between blank lines, and a list.
[[nodiscard]] std::string markdown_section(const std::string& title);
[[nodiscard]] std::string markdown_list(const std::vector<std::string>& items);

/// One cell or line of text, escaped for Markdown.
[[nodiscard]] std::string markdown_escape(const std::string& text);

}  // namespace ringsim::reports
