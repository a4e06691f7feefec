// The program: reads the command line, does what it asks for, and turns failures into messages and exit statuses.

#include "cli/choices.hpp"
#include "cli/commands.hpp"
#include "cli/cuda_process.hpp"
#include "cli/exit_status.hpp"
#include "cli/failures.hpp"
#include "cli/flow_process.hpp"
#include "cli/output.hpp"
#include "cli/ranks.hpp"
#include "models/error.hpp"
#include "models/names.hpp"
#include "reports/style.hpp"
#include "version.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace ringsim;
using namespace ringsim::cli;

std::string footer() {
  std::string text = "Exit status:\n";
  for (const ExitMeaning& exit : exit_meanings)
    text += fmt::format("  {:<3} {}\n", static_cast<int>(exit.status), exit.meaning);
  return text +
         "Results go to standard output, messages to standard error.\n"
         "\n"
         "Example:\n"
         "  ringsim run scenarios/studies/llama3-70b-1m-h100.yaml";
}

void complain(const Program& program, const Error& error) {
  const std::string text = failure_text(error, reports::style_of(program.color, stderr));
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void complain(const Program& program, const std::string& text) { complain(program, Error(text)); }

void set_up(Program& program) {
  CLI::App& app = program.app;
  app.name("ringsim");
  app.description("Predicts ring attention: time, overlap, memory and B_min of a plan, before a GPU is rented.");
  app.footer(footer());
  app.require_subcommand(1);
  app.fallthrough();  // inherited by the commands: --color may stand anywhere
  app.set_version_flag("--version", "ringsim " + std::string(version) +
                                        "\nSimGrid: " + (flow_worker_is_there() ? "yes" : "no") +
                                        ", MPI: " + (worker_is_there() ? "yes" : "no") +
                                        ", CUDA: " + (cuda_worker_is_there() ? "yes" : "no"));
  app.add_option_function<std::string>(
         "--color",
         [&program](const std::string& when) {
           program.color = when == "always"  ? reports::ColorChoice::always
                           : when == "never" ? reports::ColorChoice::never
                                             : reports::ColorChoice::automatic;
         },
         "Colour: auto, always or never (default auto: on a terminal, unless NO_COLOR is set)")
      ->type_name("WHEN")
      ->trigger_on_parse()
      ->check(one_of({"auto", "always", "never"}));
  add_run(program);
  add_b_min(program);
  add_size(program);
  add_sweep(program);
  add_why(program);
  add_compare(program);
  add_show(program);
  add_calibrate(program);
  add_measure(program);
  add_validate(program);
  add_schema(program);
  add_library(program);
  add_man(program);
  add_completion(program);
}

void pointer_to_help(const CLI::App& app) {
  const auto named = app.get_subcommands();
  const std::string command = named.empty() ? "ringsim" : "ringsim " + named.front()->get_name();
  std::fprintf(stderr, "  try: %s --help\n", command.c_str());
}

/// Says of a command line without a command what is wrong with it; CLI11 only says that one is required.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
  if (!app.get_subcommands().empty() || error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError)) {
    return error.what();
  }
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  const std::vector<std::string_view> known(names.begin(), names.end());
  const std::vector<std::string> unknown = app.remaining();
  if (unknown.empty()) return "a command is needed: " + joined(known);
  if (unknown.front().starts_with('-')) return "unknown option " + unknown.front();
  return "unknown command " + unknown.front() + "; " + name_hint(unknown.front(), known, "known");
}

int execute(Program& program, int argc, char** argv) {
  CLI::App& app = program.app;
  try {
    app.parse(argc, argv);
    program.action();
    return fine;
  } catch (const CLI::CallForHelp&) {
    std::string help = app.help();  // of the command that was named, if one was
    if (!help.ends_with('\n')) help += '\n';
    write_results(help);
    return fine;
  } catch (const CLI::CallForVersion& asked) {
    write_results(std::string(asked.what()) + "\n");
    return fine;
  } catch (const CLI::ParseError& error) {
    complain(program, usage_message(app, error));
    pointer_to_help(app);
    return usage;
  } catch (const UsageError& error) {
    complain(program, error.what());
    pointer_to_help(app);
    return usage;
  }
}

int guarded(Program& program, int argc, char** argv) {
  try {
    set_up(program);
    return execute(program, argc, argv);
  } catch (const Error& error) {
    complain(program, error);
    return bad_input;
  } catch (const NothingFeasible& error) {
    complain(program, error.what());
    return nothing_feasible;
  } catch (const MissingPart& error) {
    complain(program, error.what());
    return missing_part;
  } catch (const OutsideTolerance& error) {
    complain(program, error.what());
    return outside_tolerance;
  } catch (const BrokeOff& error) {
    complain(program, error.what());
    return broke_off;
  } catch (const Interrupted&) {
    // As if the signal had ended this program, which is what a shell expects to see.
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
    return interrupted;
  } catch (const std::exception& error) {
    complain(program, std::string("internal error, please report it: ") + error.what());
    return internal_error;
  }
}

}  // namespace

int main(int argc, char** argv) {
  // A reader that closes the pipe (`ringsim … | head`) ends the program quietly, whatever the caller has set.
  std::signal(SIGPIPE, SIG_DFL);
  Program program;
  program.command_line = {"ringsim"};
  program.command_line.insert(program.command_line.end(), argv + std::min(argc, 1), argv + argc);
  return guarded(program, argc, argv);
}
