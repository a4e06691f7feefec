#pragma once
// A line on the terminal that says how far a long command has come. Nothing where standard error is no terminal.

#include <cstddef>
#include <string>
#include <string_view>

namespace ringsim::cli {

/// The line: `done` of 1 (clipped to 0 … 1) as a bar of eighths of a column, then percent and what is being done, `columns` wide
/// at most.
[[nodiscard]] std::string progress_line(double done, std::string_view what, std::size_t columns);

class ProgressBar {
 public:
  ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressBar(ProgressBar&&) = delete;
  ProgressBar& operator=(ProgressBar&&) = delete;
  ~ProgressBar();  // wipes the line
  void show(double done, std::string_view what);

 private:
  bool shown_ = false;  // standard error is a terminal
};

}  // namespace ringsim::cli
