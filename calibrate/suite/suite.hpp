#pragma once
// Runs published measurements through the simulator: every row's scenario by the recurrence, with every variant of the model.
//
//   signed error = (predicted time − measured time) / measured time      +10 %: the prediction is too slow
//
// Of the rows that are scored, per set and variant: median, 90 % quantile and largest |error| (quantiles as in
// models/quantile.hpp), the mean signed error (bias), and of rows in groups in how many groups the fastest row, and the whole
// order, is predicted.

#include "calibrate/suite/rows.hpp"
#include "calibrate/suite/variants.hpp"
#include "models/published_set.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

struct SuiteInput {
  PublishedSet about;
  std::vector<SuiteRow> rows;
  /// The scenario of a row. Called by several threads at once.
  std::function<Scenario(const SuiteRow&)> scenario;
};

struct RowResult {
  SuiteRow row;
  std::string scenario_hash;
  double measured_s = 0;
  std::vector<double> predicted_s;      // by variant
  std::optional<double> low_s, high_s;  // of the makespan, by the profile's uncertainty; other metrics: absent
  [[nodiscard]] double error(std::size_t variant = 0) const { return (predicted_s[variant] - measured_s) / measured_s; }
};

/// Of the scored rows of a set, by one variant.
struct SuiteScore {
  std::int64_t rows = 0;
  double median = 0, p90 = 0;  // of |error|; 0 where no row is scored
  double worst = 0;            // signed
  std::string worst_row;       // its id
  double bias = 0;             // mean signed error
  std::int64_t groups = 0, winners = 0, orders = 0;
};

struct SetResult {
  PublishedSet about;
  std::vector<RowResult> rows;
  std::vector<SuiteScore> scores;  // by variant
};

struct SuiteResult {
  std::vector<ModelVariant> variants;
  std::vector<SetResult> sets;
};

[[nodiscard]] SuiteScore score_of(const std::vector<RowResult>& rows, std::size_t variant);

/// `threads`: 0: one a core. Throws Error, with the row's place, for the first row that cannot be run.
[[nodiscard]] SuiteResult run_suite(const std::vector<SuiteInput>& sets, unsigned threads = 0);

}  // namespace ringsim::calibrate
