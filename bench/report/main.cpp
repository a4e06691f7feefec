// ringsim-bench-report: compares and tabulates what ringsim-bench has measured.

#include "bench/report/comparison.hpp"
#include "bench/report/files.hpp"
#include "bench/report/run_file.hpp"
#include "bench/report/table.hpp"
#include "models/error.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace {

using namespace ringsim;

// As those of ringsim (cli/exit_status.hpp).
enum Status : int { fine = 0, usage = 2, bad_input = 3, broke_off = 7 };

struct Arguments {
  std::string first;
  std::string second;
};

CLI::App* add(CLI::App& app, const std::string& name, const std::string& about, Arguments& arguments,
              const std::string& first, const std::string& second) {
  CLI::App* command = app.add_subcommand(name, about);
  command->add_option(first, arguments.first)->required()->type_name("FILE");
  if (!second.empty()) command->add_option(second, arguments.second)->required()->type_name("FILE");
  return command;
}

int print(const std::string& text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? fine : broke_off;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares and tabulates runs of ringsim-bench, as JSON: ./dev bench --json FILE.",
               "ringsim-bench-report");
  app.footer(
      "Exit status: 0 fine; 2 the command line makes no sense; 3 a file cannot be read or is no output of Google "
      "Benchmark;\n"
      "7 results cannot be written.");
  app.require_subcommand(1);
  Arguments arguments;
  const CLI::App* compare = add(app, "compare", "Two runs, benchmark by benchmark", arguments, "OLD", "NEW");
  const CLI::App* table = add(app, "table", "Ratios of a run as a table in Markdown", arguments, "RUN", "");
  add(app, "update", "Put that table in its place on a page", arguments, "RUN", "PAGE");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? fine : usage;
  }
  try {
    const bench::Run run = bench::read_run(arguments.first);
    if (compare->parsed()) return print(bench::comparison_of(run, bench::read_run(arguments.second)));
    const std::string text = bench::table_of(run, arguments.first);
    if (table->parsed()) return print(text);
    const std::string page =
        bench::text_of_file(arguments.second, "the page has the two comments that mark the table's place");
    bench::replace_file(arguments.second, bench::with_table(page, text, arguments.second));
    return fine;
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", error.where(), error.message());
    if (!error.hint().empty()) fmt::print(stderr, "  {}\n", error.hint());
    return bad_input;
  }
}
