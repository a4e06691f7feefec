#pragma once
// --report FILE.html and --interactive, which several commands share.

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "reports/html/page.hpp"
#include "reports/html/scenario_section.hpp"

#include <optional>
#include <string>

namespace ringsim::cli {

struct ReportOption {
  std::string file;  // empty: no report
  bool interactive = false;
};

/// Adds both to a command.
void add_report_option(CLI::App& command, ReportOption& option);

/// A report on its way to its file.
class ReportFile {
 public:
  /// Checks the options and opens the file, so that what is wrong is found before anything is computed. `input`: a file that must not be
  /// overwritten; may be empty. Throws UsageError, MissingPart or BrokeOff.
  ReportFile(const ReportOption& option, const std::string& input);
  /// Whether a report is asked for.
  [[nodiscard]] explicit operator bool() const { return file_.has_value(); }
  /// Writes the page and puts the file in its place.
  void write(const reports::HtmlPage& page);

 private:
  std::optional<ResultFile> file_;
};

/// What a page is made from.
[[nodiscard]] reports::PageOrigin origin_of(const Program& program, const ReportOption& option);

}  // namespace ringsim::cli
