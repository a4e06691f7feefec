// `ringsim library`: what ships with the program.

#include "scenarios/library.hpp"

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/scenario_options.hpp"
#include "reports/library_report.hpp"
#include "scenarios/spec.hpp"

#include <memory>

namespace ringsim::cli {
namespace {

void library(const std::string& format, reports::ColorChoice color) {
  std::vector<reports::LibraryRow> rows;
  for (const auto& entry : scenarios::library_entries()) {
    rows.push_back({std::string(folder_of(entry.kind)), entry.name, entry.description, entry.source, entry.topology});
  }
  if (format == "json") return write_results(reports::render_library_json(rows));
  if (format == "csv") return write_results(reports::render_library_csv(rows));
  if (format == "markdown") return write_results(reports::render_library_markdown(rows));
  write_results(reports::render_library_text(rows, reports::style_of(color, stdout)));
}

}  // namespace

void add_library(Program& program) {
  auto format = std::make_shared<std::string>("text");
  CLI::App& command =
      *program.app.add_subcommand("library", "The GPUs, clusters, models and profiles that ship with it");
  add_format_option(command, *format);
  command.footer(
      "Names are used in a scenario as they stand (model: llama3-70b) or below `use`.\n"
      "\n"
      "Example:\n"
      "  ringsim library --format json");
  command.callback([&program, format] { program.action = [&program, format] { library(*format, program.color); }; });
}

}  // namespace ringsim::cli
