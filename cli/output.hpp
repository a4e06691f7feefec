#pragma once
// Where results go. Whatever cannot be written is an error: a report that is silently cut off is worse than none.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace ringsim::cli {

/// Writes to standard output and flushes it. Throws BrokeOff with the system's reason (full disk, closed output).
void write_results(std::string_view text);

/// A file for results: opened before the run, so that a wrong path is found at once, and there only when complete. Until
/// then the text is in a file beside it. What is no regular file (a pipe, a device) is written to directly.
class ResultFile {
 public:
  /// Throws BrokeOff where the file cannot be opened for writing.
  explicit ResultFile(const std::string& path);
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;
  ResultFile(ResultFile&&) = delete;
  ResultFile& operator=(ResultFile&&) = delete;
  /// Leaves nothing behind of a file that was not closed.
  ~ResultFile();
  [[nodiscard]] std::ostream& stream() { return stream_; }
  /// Puts the file in its place. Throws BrokeOff where anything could not be written.
  void close();

 private:
  std::filesystem::path path_;
  std::filesystem::path partial_;  // empty: written to directly, or already in place
  std::ofstream stream_;
};

}  // namespace ringsim::cli
