#pragma once
// Where an axis has its marks and what stands beside them. All marks of an axis share one unit, which the axis' label names.

#include "reports/charts/chart.hpp"

#include <span>
#include <string>
#include <vector>

namespace ringsim::reports {

struct AxisUnit {
  double size = 1;     // SI value of one unit
  std::string name{};  // "ms"; empty: none
};

/// The unit in which the largest value of an axis is at least 1.
[[nodiscard]] AxisUnit axis_unit(Quantity quantity, double most);

/// "time [ms]".
[[nodiscard]] std::string axis_label(const ChartAxis& axis, const AxisUnit& unit);

struct Tick {
  double value = 0;  // SI
  std::string text{};
};

/// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most`, at least 2 where the span allows.
[[nodiscard]] std::vector<Tick> linear_ticks(double low, double high, std::size_t most, const AxisUnit& unit);

/// Within [low, high], low above 0: 1, 2 and 5 of each decade where there is room, else decades, else each n-th decade.
[[nodiscard]] std::vector<Tick> log_ticks(double low, double high, std::size_t most, const AxisUnit& unit);

/// A mark at each of the powers of two, as many as there is room for.
[[nodiscard]] std::vector<Tick> doubling_ticks(double low, double high, std::size_t most);

/// 2, 4, 8, ...: whether all values are powers of two.
[[nodiscard]] bool are_powers_of_two(std::span<const double> values);

/// Those of an axis: on a logarithmic one of counts that are all powers of two these, else decades; between counts there are no ticks.
[[nodiscard]] std::vector<Tick> axis_ticks(const ChartAxis& axis, double low, double high, std::size_t most,
                                           const AxisUnit& unit, bool doubling);

/// Three significant digits in the axis' unit, without it: "12.3", "0.12", "1,230".
[[nodiscard]] std::string in_axis_unit(double value, const AxisUnit& unit);

/// As many decimals for `value` as give the largest value, `most`, three digits: "31.0" beside "30.2".
[[nodiscard]] std::string like_largest(double value, double most, const AxisUnit& unit);

}  // namespace ringsim::reports
