#pragma once
// --trace and what goes into it: which ranks, layers, ring steps and micro-batches of a run.
//
//   --trace FILE.json | FILE.json.gz      the ending .gz compresses it
//   --trace-ranks 0..7   0,4..7   all     ranges include both ends; numbers from 0
//   --trace-layers 3..4  --trace-steps 8..11  --trace-micro-batches 2

#include "cli/output.hpp"
#include "reports/gzip.hpp"
#include "sim/timeline_window.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <ostream>
#include <string>

namespace ringsim::cli {

struct TraceOptions {
  std::string file;
  std::string ranks;  // empty: what goes without saying
  std::string layers;
  std::string steps;
  std::string micro_batches;
};

/// --trace alone.
void add_trace_file_option(CLI::App& command, TraceOptions& options, const std::string& meaning);
/// The ranges, of a run that is predicted or of one that is measured.
void add_trace_range_options(CLI::App& command, TraceOptions& options, bool predicted);

/// The part of a run that is asked for, `otherwise` where nothing is. Throws UsageError where a range cannot be read, is beyond the run, or
/// has no --trace to belong to; it says what would be right.
[[nodiscard]] sim::TimelineWindow trace_window_of(const TraceOptions& options, const sim::RunExtent& run,
                                                  const sim::TimelineWindow& otherwise);
/// What of this can be said before the run is known.
void check_trace_options(const TraceOptions& options);

/// The file of --trace, compressed where its name ends in .gz. Opened before the run; there only when complete.
class TraceFile {
 public:
  explicit TraceFile(const std::string& path);
  [[nodiscard]] std::ostream& stream() { return gzip_ ? static_cast<std::ostream&>(*gzip_) : file_.stream(); }
  void close();

 private:
  ResultFile file_;
  std::unique_ptr<reports::GzipStream> gzip_;
};

}  // namespace ringsim::cli
