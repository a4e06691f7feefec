#pragma once
// From points of a sweep to rows. Each thread or rank has one of its own.

#include "cli/sweep/job.hpp"
#include "reports/sweep_rows.hpp"
#include "scenarios/variants.hpp"
#include "sim/figures.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace ringsim::cli {

class Evaluator {
 public:
  /// Throws Error for what is wrong with all points: the document, an axis, a column, the engine.
  explicit Evaluator(const SweepJob& job);

  [[nodiscard]] std::int64_t points() const { return variants_.axes().points(); }
  [[nodiscard]] std::string header() const { return rows_.header(); }
  /// How many of the columns are axes: the first ones.
  [[nodiscard]] std::size_t axes() const { return kinds_.size(); }
  /// How the row of a point begins.
  [[nodiscard]] std::string beginning(std::int64_t point);
  /// Appends the rows of points first, first + 1, ... (count of them), each with its line end. A point that cannot be predicted
  /// becomes a row with its error.
  void append_rows(std::int64_t first, std::int64_t count, std::string& to);
  /// Figures of a point. Throws Error.
  [[nodiscard]] sim::Figures figures(std::int64_t point) {
    const Scenario& scenario = variants_.at(point);
    return figures_(scenario, variants_.changed());
  }
  /// Rows with an error so far.
  [[nodiscard]] std::int64_t failed() const { return failed_; }

  /// What the scenario is called; empty where the file does not say.
  [[nodiscard]] const std::string& scenario_name() const { return name_; }
  /// Hash of the scenario at the first point, of the file's text where that point cannot be read.
  [[nodiscard]] std::string scenario_hash() const { return hash_; }

 private:
  void find_values(std::int64_t point);

  scenarios::Variants variants_;
  reports::SweepRows rows_;
  sim::FiguresOf figures_;
  std::string hash_;
  std::string name_;
  std::vector<scenarios::Kind> kinds_;      // of the axes
  std::vector<reports::AxisValue> values_;  // of the current point
  std::vector<std::int64_t> value_index_;   // which those are; -1: none yet
  std::int64_t failed_ = 0;
};

}  // namespace ringsim::cli
