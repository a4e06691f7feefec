#pragma once
// The rows of a sweep (reports/sweep_rows.hpp), read back: what a page draws is what the file says, whoever wrote it.

#include "reports/charts/chart.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

struct SweepCell {
  std::string text;             // as in the row; empty: absent
  std::optional<double> value;  // of a number
};

struct SweepTable {
  std::vector<std::string> columns;  // axes, figures; `error` and `hint` last
  std::size_t axes = 0;              // how many of them are axes
  std::vector<std::vector<SweepCell>> rows;
  std::vector<ChartAxis> about;  // by column: what people call it, and what its numbers are (sweep_axes.hpp)

  /// Index of a column; absent where the sweep does not have it.
  [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
  /// A row's figure; absent where the row or the sweep does not have it.
  [[nodiscard]] std::optional<double> figure(std::size_t row, std::string_view name) const;
  /// Rows that say why there is nothing else in them.
  [[nodiscard]] bool failed(std::size_t row) const;
};

/// From the text of a sweep's file, or of what it printed. `json_lines`: an object a line; else CSV. `axes`: how many columns are axes.
/// Throws Error where it is no such text.
[[nodiscard]] SweepTable read_sweep(std::string_view text, bool json_lines, std::size_t axes, const std::string& file);

}  // namespace ringsim::reports
