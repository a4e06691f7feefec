#pragma once
// Predicted against measured, operation by operation and in total.
//
//   signed error = (predicted − measured) / measured      +10 %: the prediction is too slow
//
// What may be next to nothing in a good run, exposed communication and bubble, is related to the makespan instead:
// (predicted − measured) / measured makespan. Two overlaps, which are shares already, are subtracted.

#include "calibrate/measurement.hpp"
#include "sim/predict.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringsim::calibrate {

/// What an error is a share of.
enum class ErrorOf { measured, makespan, difference };

/// One figure of the whole run.
struct ComparedQuantity {
  std::string key;    // "makespan", "exposed_communication", ...
  std::string whose;  // "run" | "slowest rank" | "mean of ranks"
  ErrorOf error_of = ErrorOf::measured;
  double measured = 0;          // s; overlap: a fraction
  double predicted = 0;         // s; overlap: a fraction
  std::optional<double> error;  // signed; absent: a share of zero

  /// For people, with what the error is related to: "exposed communication, % of makespan".
  [[nodiscard]] std::string name() const;
};

/// An execution of an operation, and how far its prediction is off. Transfers: the flight of the rank's outgoing hop.
struct OperationError {
  std::int64_t rank = 0;
  std::int64_t layer = 0;
  std::int64_t step = 0;
  double measured_s = 0;
  double predicted_s = 0;
  std::optional<double> error;  // signed; absent: it was measured to take no time
};

/// Sizes of the errors of single operations, without sign; quantiles as in models/quantile.hpp.
struct ErrorSpread {
  double median = 0;
  double p90 = 0;
  OperationError worst;           // the first of those with the largest error
  std::int64_t without_time = 0;  // operations measured to take no time, which are left out here
};

/// All operations of one name, on all ranks; where they cannot be matched one by one, of one kind.
struct OperationGroup {
  std::string name;
  sim::SpanKind kind = sim::SpanKind::attention;
  std::int64_t measured_count = 0;
  std::int64_t predicted_count = 0;
  double measured_s = 0;                    // total
  double predicted_s = 0;                   // total
  std::optional<double> measured_median_s;  // absent: the measurement gives sums alone
  std::optional<double> predicted_median_s;
  std::optional<double> error;          // of the totals
  std::optional<double> median_error;   // of the medians
  std::optional<ErrorSpread> spread;    // absent where operations could not be matched one by one
  std::vector<OperationError> matched;  // every operation that both have, likewise
};

/// Operations that only the measurement or only the prediction has; in no group.
struct OneSided {
  bool measured = false;  // else predicted
  std::string name;
  sim::SpanKind kind = sim::SpanKind::attention;
  std::int64_t count = 0;
  double total_s = 0;
  std::int64_t rank = 0, layer = 0, step = 0;  // of the first of them
};

struct Comparison {
  std::string scenario_name;           // predicted
  std::string measured_scenario_name;  // as measured
  std::string scenario_hash, measured_scenario_hash;
  Definition definition;  // the same for both
  Environment environment;
  std::string profile_name;
  bool profile_calibrated = false;
  std::string profile_gpu;
  std::string engine;
  std::int64_t repeats = 0;

  std::vector<ComparedQuantity> quantities;  // never empty; the first is the one that is judged
  std::int64_t measured_slowest_rank = 0, predicted_slowest_rank = 0;
  std::optional<double> measured_low_s, measured_high_s;    // 95 % interval of the median makespan
  std::optional<double> predicted_low_s, predicted_high_s;  // by the profile's uncertainty

  bool one_by_one = false;  // operations were matched by rank, name, layer and step; else by kind alone
  std::vector<OperationGroup> groups;
  std::vector<OneSided> one_sided;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;

  /// The makespan, or the computation where no makespan was measured.
  [[nodiscard]] const ComparedQuantity& judged() const { return quantities.front(); }
  /// |signed error of the judged quantity| ≤ tolerance. False where it has no error.
  [[nodiscard]] bool within(double tolerance) const;
  /// Whether the measured makespan lies in the predicted interval; absent where one of them is.
  [[nodiscard]] std::optional<bool> in_predicted_interval() const;
};

/// Compares a prediction of `scenario` that kept its whole timeline. Throws Error, naming the keys, where the measured work is
/// another one (calibrate/definition.hpp), and where the prediction lacks spans.
[[nodiscard]] Comparison compare(const Scenario& scenario, const sim::PredictResult& predicted,
                                 const Measurement& measured);

}  // namespace ringsim::calibrate
