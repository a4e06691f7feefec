#pragma once
// The rows of a set of published measurements, from its CSV file (RFC 4180, lines that begin with # are comments):
//
//   id         unique in the set
//   metric     calibrate/suite/metric.hpp
//   measured   as published, above 0
//   unit       s, ms, us, iter/s, TFLOP/s
//   group      optional: rows whose order among each other is to be predicted
//   scored     optional; empty: the row counts. Else why it is shown and does not count ("launch bound")
//
// Every other column is a key of the scenario (`ring.layout`, `workload.tokens`), and a cell what it is set to, as with --set;
// an empty cell leaves it as the set's scenario has it.

#include "calibrate/suite/metric.hpp"
#include "models/published_set.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ringsim::calibrate {

struct SuiteRow {
  std::string id;
  std::vector<std::string> sets;  // "key=value", in the order of the columns
  Metric metric = Metric::makespan;
  double measured = 0;  // in `unit`
  MeasuredUnit unit = MeasuredUnit::s;
  std::string group;       // empty: none
  std::string not_scored;  // why; empty: it is scored
  std::string place;       // "file:12"
  [[nodiscard]] bool scored() const { return not_scored.empty(); }
};

/// Throws Error with file and line, and what would be right.
[[nodiscard]] std::vector<SuiteRow> read_suite_rows(std::string_view file, std::string_view text);

/// Throws Error where rows and rows left out are not as many as the source has: none may be lost.
void check_all_rows(const PublishedSet& set, const std::vector<SuiteRow>& rows, const std::string& file);

}  // namespace ringsim::calibrate
