#pragma once
// The file of a sweep, which grows row by row and is continued where it ended.
//
// Beside FILE stands FILE.sweep, a JSON object with what makes the rows what they are: the scenario's hash, --set, engine, columns,
// seed, and the version of this program. A file that is continued must agree in all of that. Rows are in the order of the points and
// written in whole, so that their number says which points are done; a row that was cut off is taken away. The finished file is the
// same, however often it was begun.
//
// FILE is locked (flock) while it is written. Where it is no regular file (a pipe, a device) it is written from the start, without
// a file beside it.

#include "cli/sweep/evaluator.hpp"
#include "cli/sweep/job.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace ringsim::cli {

class SweepFile {
 public:
  /// Opens or continues the job's output. Throws Error where it is something else than this sweep, BrokeOff where it cannot be
  /// opened or another process writes it.
  SweepFile(const SweepJob& job, Evaluator& evaluator);
  SweepFile(const SweepFile&) = delete;
  SweepFile& operator=(const SweepFile&) = delete;
  SweepFile(SweepFile&&) = delete;
  SweepFile& operator=(SweepFile&&) = delete;
  ~SweepFile();

  /// Points that are in the file already.
  [[nodiscard]] std::int64_t done() const { return done_; }
  /// Appends whole rows. Throws BrokeOff.
  void write(std::string_view rows);

 private:
  void continue_file(const SweepJob& job, Evaluator& evaluator, const std::string& identity);
  void check_identity(const std::string& identity) const;
  void write_identity(const std::string& identity) const;

  std::string path_;
  int file_ = -1;
  std::int64_t done_ = 0;
};

/// FILE.sweep of a job.
[[nodiscard]] std::string identity_of(const SweepJob& job, const Evaluator& evaluator);

}  // namespace ringsim::cli
