#pragma once
// `ringsim validate --suite published`: every published measurement that ships with the program against its prediction.

#include "cli/commands.hpp"
#include "cli/report_option.hpp"

#include <string>
#include <vector>

namespace ringsim::cli {

struct SuiteOptions {
  std::string suite;               // empty: not asked for
  std::vector<std::string> names;  // of sets; empty: all
  std::vector<std::string> sets;   // "key=value", for every row
  std::string format = "text";
  std::string against;  // a file with medians that must not grow
  std::string medians;  // a file to write them to
  std::string plot;     // SVG
  bool rows = false;
  ReportOption report;
};

/// Throws OutsideTolerance where a set's median is worse than `against` allows.
void run_published_suite(const SuiteOptions& options, const Program& program);

}  // namespace ringsim::cli
