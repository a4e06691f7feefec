#pragma once
// The figures of two predictions, pairwise, and whether a pair can be compared: a time to first token and a training step are not
// the same thing, nor are attention and a whole model, nor a lower bound and a makespan.

#include "reports/compare_report.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringsim::reports {

/// The time that a planner goes by: TTFT, TPOT or the training step of a whole model, else the makespan.
struct Headline {
  std::string_view key;   // "ttft_s"
  std::string_view name;  // "TTFT"
  double seconds = 0;
};
[[nodiscard]] Headline headline_of(const sim::Prediction& prediction);

/// Why the times of two predictions are not of the same thing; empty where they are.
[[nodiscard]] std::string why_other_times(const sim::Prediction& a, const sim::Prediction& b);

enum class FigureUnit { seconds, ratio, bytes, tokens, tokens_per_s, hours, money, joules, count };
enum class Better { lower, higher, neither };

struct ComparedFigure {
  std::string key;  // for machines, with the unit
  std::string label;
  FigureUnit unit = FigureUnit::count;
  std::optional<double> a, b;
  Better better = Better::neither;
  std::string not_compared;  // why; empty: it is

  [[nodiscard]] bool comparable() const { return a && b && not_compared.empty(); }
  /// The same but for rounding.
  [[nodiscard]] bool equal() const;
  /// b - a; of what is not comparable nothing.
  [[nodiscard]] std::optional<double> change() const;
  /// b / a - 1; of ratios and where a is zero nothing.
  [[nodiscard]] std::optional<double> relative_change() const;
  /// "a", "b", or empty where neither is.
  [[nodiscard]] std::string_view better_side() const;
};

/// Times, rates, spending and B_min; what neither side has is left out.
[[nodiscard]] std::vector<ComparedFigure> figures_of(const ScenarioComparison& comparison);
/// Terms of memory by the larger of their sizes, then their sum, capacity and what is left.
[[nodiscard]] std::vector<ComparedFigure> memory_figures_of(const ScenarioComparison& comparison);

/// "12.30 s"; "none" where there is none.
[[nodiscard]] std::string figure_text(const std::optional<double>& value, FigureUnit unit);
/// "-30.1 %", "+2.4 points", "same", "1.80 x".
[[nodiscard]] std::string change_text(const ComparedFigure& figure);
/// A change in its unit with its sign: "-1.200 s".
[[nodiscard]] std::string signed_text(double change, FigureUnit unit);

}  // namespace ringsim::reports
