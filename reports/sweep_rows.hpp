#pragma once
// Rows of a sweep: what was varied, and what it comes to. CSV (reports/csv.hpp) under one header, or JSON Lines, an object a line.
//
// First the axes, in their order: numbers in SI with the unit at the end of the column's name
// (cluster.inter_node.bandwidth_bytes_per_s), everything else as it was written. Then the figures. A point that cannot be predicted has
// no figures, but `error` and `hint`. What is absent is an empty field, and null.

#include "sim/figures.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace ringsim::reports {

enum class RowFormat { csv, json_lines };

/// A value of an axis: a number in SI, a whole number, or text.
using AxisValue = std::variant<std::int64_t, double, std::string>;

/// The figures that rows may have, in their order, and those that they have if nothing else is asked for.
[[nodiscard]] std::vector<std::string_view> figure_names();
[[nodiscard]] std::vector<std::string> usual_figures();

class SweepRows {
 public:
  /// `axes`: names of their columns. Throws Error for a figure that is not known.
  SweepRows(RowFormat format, std::vector<std::string> axes, const std::vector<std::string>& figures);

  /// Whether a figure needs to know where the time goes.
  [[nodiscard]] bool needs_shares_of_time() const { return shares_of_time_; }
  /// The header with its line end; empty for JSON Lines.
  [[nodiscard]] std::string header() const;
  /// Append a row with its line end.
  void append(std::string& to, const std::vector<AxisValue>& values, const sim::Figures& figures) const;
  void append_error(std::string& to, const std::vector<AxisValue>& values, std::string_view error,
                    std::string_view hint) const;
  /// How a row with these values begins.
  [[nodiscard]] std::string beginning(const std::vector<AxisValue>& values) const;

 private:
  void append_values(std::string& to, const std::vector<AxisValue>& values) const;
  void append_rest(std::string& to, std::string_view error, std::string_view hint) const;

  RowFormat format_;
  std::vector<std::string> axes_;     // CSV: names; JSON: quoted, with the colon
  std::vector<std::size_t> figures_;  // indices into the table of figures
  std::vector<std::string> names_;    // as axes_
  bool shares_of_time_ = false;
};

}  // namespace ringsim::reports
