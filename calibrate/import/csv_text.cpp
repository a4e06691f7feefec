#include "calibrate/import/csv_text.hpp"

#include "calibrate/import/text.hpp"
#include "models/error.hpp"

#include <fmt/format.h>

#include <set>

namespace ringsim::calibrate {
namespace {

class CsvReader {
 public:
  CsvReader(std::string_view file, std::string_view text, std::size_t first_line)
      : file_(file), rest_(text), line_(first_line) {}

  /// False at the end of the text.
  bool next(CsvRow& row) {
    skip_what_is_no_row();
    if (rest_.empty()) return false;
    row = {line_, {}};
    do {
      row.cells.push_back(take_cell());
    } while (take(','));
    if (!take('\n')) rest_ = {};  // only the end of the text is left
    ++line_;
    return true;
  }

 private:
  bool take(char wanted) {
    if (!rest_.starts_with(wanted)) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void skip_what_is_no_row() {
    while (!rest_.empty()) {
      std::string_view after = rest_;
      const std::string_view line = trimmed(take_line(after));
      if (!line.empty() && line.front() != '#') return;
      rest_ = after;
      ++line_;
    }
  }

  std::string take_cell() {
    const std::size_t begin = rest_.find_first_not_of(" \t");
    if (begin != std::string_view::npos && rest_[begin] == '"') {
      rest_.remove_prefix(begin + 1);
      return take_quoted();
    }
    const std::size_t end = rest_.find_first_of(",\n");
    const std::string_view cell = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
    if (cell.find('"') != std::string_view::npos) {
      throw Error("a quote inside a cell that does not begin with one", place(file_, line_),
                  "put the whole cell in quotes and double the quotes in it");
    }
    return std::string(cell);
  }

  std::string take_quoted() {
    const std::size_t opened = line_;
    std::string cell;
    for (;;) {
      const std::size_t quote = rest_.find('"');
      if (quote == std::string_view::npos) {
        throw Error("a quote is not closed", place(file_, opened), "end the cell with a double quote");
      }
      for (const char c : rest_.substr(0, quote)) {
        cell += c;
        if (c == '\n') ++line_;
      }
      rest_.remove_prefix(quote + 1);
      if (!take('"')) break;  // a doubled quote stands for one
      cell += '"';
    }
    const std::size_t end = rest_.find_first_of(",\n");
    if (const std::string_view after = trimmed(rest_.substr(0, end)); !after.empty()) {
      throw Error(fmt::format("\"{}\" follows a closing quote", after), place(file_, line_),
                  "a comma or the end of the line, or a doubled quote inside the cell");
    }
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end);
    return cell;
  }

  std::string_view file_;
  std::string_view rest_;
  std::size_t line_;
};

}  // namespace

CsvTable parse_csv(std::string_view file, std::string_view text, std::size_t first_line) {
  CsvReader reader(file, without_mark(text), first_line);
  CsvTable table;
  if (!reader.next(table.header))
    throw Error("no header", std::string(file), "a first row with the names of the columns");
  std::set<std::string> seen;
  for (const std::string& name : table.header.cells) {
    if (name.empty()) throw Error("a column has no name", place(file, table.header.line), {});
    if (!seen.insert(name).second) {
      throw Error(fmt::format("two columns are called {}", name), place(file, table.header.line),
                  "keep one of the two");
    }
  }
  for (CsvRow row; reader.next(row);) {
    if (row.cells.size() != table.header.cells.size()) {
      throw Error(fmt::format("{} cells, but the header has {} columns", row.cells.size(), table.header.cells.size()),
                  place(file, row.line), "a cell for every column; a comma inside a cell needs quotes around the cell");
    }
    table.rows.push_back(std::move(row));
  }
  if (table.rows.empty()) throw Error("no rows after the header", place(file, table.header.line), {});
  return table;
}

}  // namespace ringsim::calibrate
