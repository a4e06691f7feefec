#pragma once
// A row of named values becomes a measured point. Both the CSV of kernel times and nvbench's states are such rows;
// docs/IMPORT.md lists the columns.

#include "calibrate/import/import.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

/// Every column, in the order of docs/IMPORT.md.
[[nodiscard]] const std::vector<std::string_view>& known_columns();

/// The column that a name stands for ("tflop_per_s" is "rate_tflop_per_s"); empty where it is none.
[[nodiscard]] std::string_view column_of(std::string_view name);

/// Whether the options map a name of the file to "ignore".
[[nodiscard]] bool is_ignored(const std::string& name, const ImportOptions& options);

struct KernelRow {
  std::map<std::string, std::string, std::less<>> values;  // by column; an empty text is no value
  std::string where;                                       // "file:12"
};

/// Adds the row's point. Throws Error for a value that is missing, malformed, contradicted by another, or of no meaning
/// for the row's kernel. A rate is turned into a time by the FLOP that publications count (docs/IMPORT.md).
void add_point(Points& points, const KernelRow& row, const ImportOptions& options);

/// The number format of a text: "bf16", "BF16", "half", "float32", "e4m3", ... Throws Error(…, where, …).
[[nodiscard]] Dtype parse_dtype(std::string_view text, const std::string& where);

}  // namespace ringsim::calibrate
