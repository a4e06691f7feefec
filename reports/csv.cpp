#include "reports/csv.hpp"

#include "reports/humanise.hpp"

namespace ringsim::reports {

std::string csv_quoted(std::string_view field) {
  if (field.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(field);
  std::string quoted = "\"";
  for (const char c : field) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (const std::string& field : fields) {
    if (&field != &fields.front()) line += ',';
    line += csv_quoted(field);
  }
  return line + "\r\n";
}

void CsvRow::add(std::string name, double value) { fields_.emplace_back(std::move(name), exact(value)); }

std::string CsvRow::header() const {
  std::vector<std::string> names;
  names.reserve(fields_.size());
  for (const auto& [name, value] : fields_) names.push_back(name);
  return csv_line(names);
}

std::string CsvRow::row() const {
  std::vector<std::string> values;
  values.reserve(fields_.size());
  for (const auto& [name, value] : fields_) values.push_back(value);
  return csv_line(values);
}

std::string CsvRow::text() const { return header() + row(); }

}  // namespace ringsim::reports
