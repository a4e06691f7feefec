#include "cli/report_option.hpp"

#include "cli/commit.hpp"
#include "cli/failures.hpp"
#include "cli/scenario_options.hpp"
#include "reports/html/interactive.hpp"
#include "reports/shell.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

namespace ringsim::cli {

void add_report_option(CLI::App& command, ReportOption& option) {
  command.add_option("--report", option.file, "Write a page for a browser: one file, with charts and all it rests on")
      ->type_name("FILE.html")
      ->check(file_name());
  command.add_flag("--interactive", option.interactive,
                   "With --report: charts that zoom and answer to the pointer (scripts in the page; about 1 MB)");
}

ReportFile::ReportFile(const ReportOption& option, const std::string& input) {
  if (option.file.empty()) {
    if (option.interactive) throw UsageError("--interactive needs --report FILE.html");
    return;
  }
  std::error_code not_there;
  if (!input.empty() && std::filesystem::equivalent(input, option.file, not_there)) {
    throw UsageError("--report would overwrite " + input);
  }
  if (option.interactive && !reports::interactive_available()) {
    throw MissingPart(reports::interactive_missing());
  }
  file_.emplace(option.file);
}

void ReportFile::write(const reports::HtmlPage& page) {
  file_->stream() << reports::render_html(page);
  file_->close();
}

reports::PageOrigin origin_of(const Program& program, const ReportOption& option) {
  const std::string built_from = commit().empty() ? "" : fmt::format(" (commit {})", commit());
  return {reports::shell_command(program.command_line), fmt::format("ringsim {}{}", version, built_from),
          option.interactive};
}

}  // namespace ringsim::cli
