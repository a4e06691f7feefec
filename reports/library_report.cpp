#include "reports/library_report.hpp"

#include "reports/csv.hpp"
#include "reports/json_parts.hpp"
#include "reports/table.hpp"
#include "reports/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ringsim::reports {
namespace {

/// Kinds in the order in which they first appear.
std::vector<std::string> kinds_of(const std::vector<LibraryRow>& rows) {
  std::vector<std::string> kinds;
  for (const LibraryRow& row : rows) {
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) kinds.push_back(row.kind);
  }
  return kinds;
}

std::string title(std::string kind) {
  if (kind == "gpus") return "GPUs";
  if (!kind.empty() && kind.front() >= 'a' && kind.front() <= 'z')
    kind.front() = static_cast<char>(kind.front() - 'a' + 'A');
  return kind;
}

}  // namespace

std::string render_library_text(const std::vector<LibraryRow>& rows, const Style& style) {
  std::string text;
  for (const std::string& kind : kinds_of(rows)) {
    Fields fields;
    for (const LibraryRow& row : rows) {
      if (row.kind != kind) continue;
      fields.emplace_back(
          row.name, row.topology.empty() ? row.description : fmt::format("{} ({})", row.description, row.topology));
    }
    text += heading(title(kind), "", style).substr(text.empty() ? 1 : 0);
    text += text_fields(fields, 2, Style{});
  }
  return text;
}

std::string render_library_json(const std::vector<LibraryRow>& rows) {
  Json json = {{"schema_version", json_schema_version}};
  for (const std::string& kind : kinds_of(rows)) json[kind] = Json::array();
  for (const LibraryRow& row : rows) {
    Json entry = {{"name", row.name}, {"description", row.description}, {"source", row.source}};
    if (!row.topology.empty()) entry["topology"] = row.topology;
    json[row.kind].push_back(std::move(entry));
  }
  return json_text(json);
}

std::string render_library_csv(const std::vector<LibraryRow>& rows) {
  std::string text = csv_line({"kind", "name", "description", "source"});
  for (const LibraryRow& row : rows) text += csv_line({row.kind, row.name, row.description, row.source});
  return text;
}

std::string render_library_markdown(const std::vector<LibraryRow>& rows) {
  Grid grid{{{"kind", Align::left}, {"name", Align::left}, {"description", Align::left}, {"source", Align::left}}, {}};
  for (const LibraryRow& row : rows) grid.rows.push_back({row.kind, row.name, row.description, row.source});
  return markdown_table(grid);
}

}  // namespace ringsim::reports
