#pragma once
// Where results go. Whatever cannot be written is an error: a report that is silently cut off is worse than none.

#include <fstream>
#include <string>
#include <string_view>

namespace ringsim::cli {

/// Writes to standard output and flushes it. Throws BrokeOff with the system's reason (full disk, closed output).
void write_results(std::string_view text);

/// A file for results: opened before the run, so that a wrong path is found at once.
class ResultFile {
 public:
  /// Throws BrokeOff where the file cannot be opened for writing.
  explicit ResultFile(std::string path);
  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Throws BrokeOff where anything could not be written.
  void close();

 private:
  std::string path_;
  std::ofstream stream_;
};

}  // namespace ringsim::cli
