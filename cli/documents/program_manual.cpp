#include "cli/documents/manual.hpp"
#include "cli/documents/roff.hpp"
#include "cli/exit_status.hpp"
#include "version.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <string_view>

namespace ringsim::cli::documents {
namespace {

/// "--format FORMAT" in roff; of a positional argument its name.
std::string term_of(const Argument& argument) {
  std::string term;
  for (const std::string& name : argument.names) {
    if (!term.empty()) term += ", ";
    term += name.starts_with('-') ? bold(name) : italic(name);
  }
  if (!argument.value.empty()) term += " " + italic(argument.value);
  if (argument.many) term += " ...";
  return term;
}

std::string meaning_of(const Argument& argument) {
  std::string text = argument.description;
  if (!text.ends_with('.')) text += '.';
  if (argument.required) text += " Required.";
  if (argument.kind == ValueKind::words || argument.kind == ValueKind::list) {
    std::string words;
    for (const std::string& word : argument.words) words += (words.empty() ? "" : ", ") + word;
    // Most descriptions have the words in prose.
    bool all_named = true;
    for (const std::string& word : argument.words) all_named = all_named && text.find(word) != std::string::npos;
    if (!all_named) text += " Known: " + words + ".";
  }
  return roff_text(text);
}

std::string synopsis_of(const Command& command) {
  std::string text = bold("ringsim") + " " + bold(command.name);
  for (const Argument& option : command.options) {
    if (option.required) text += " " + term_of(option);
  }
  text += " [" + italic("OPTION") + " ...]";
  for (const Argument& positional : command.positionals)
    text += positional.required ? " " + term_of(positional) : " [" + term_of(positional) + "]";
  return text;
}

/// What stands below the options of --help: indented lines are kept as they are, the others are prose.
void add_footer(RoffPage& page, const std::string& footer) {
  std::istringstream lines(footer);
  std::string prose;
  std::string indented;
  const auto flush = [&] {
    if (!prose.empty()) page.paragraph(roff_text(prose));
    if (!indented.empty()) page.verbatim(indented);
    prose.clear();
    indented.clear();
  };
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      flush();
    } else if (line.starts_with("  ")) {
      indented += line.substr(2) + "\n";
    } else {
      if (!indented.empty()) flush();
      prose += (prose.empty() ? "" : " ") + line;
    }
  }
  flush();
}

void add_command(RoffPage& page, const Command& command) {
  page.subsection("ringsim " + command.name);
  page.paragraph(synopsis_of(command));
  page.paragraph(roff_text(command.description + "."));
  for (const Argument& positional : command.positionals) page.item(term_of(positional), meaning_of(positional));
  for (const Argument& option : command.options) page.item(term_of(option), meaning_of(option));
  add_footer(page, command.footer);
}

struct Meaning {
  std::string_view name;
  std::string_view text;
};

constexpr std::array environment = {
    Meaning{"NO_COLOR", "If it is set and not empty, there is no colour unless --color asks for it."},
    Meaning{"TERM", "A terminal that calls itself dumb gets neither colour nor a progress bar."},
    Meaning{
        "OMPI_COMM_WORLD_RANK, OMPI_COMM_WORLD_SIZE",
        "Set by mpirun of Open MPI for every process: sweep then divides its points among the processes, measure and "
        "calibrate start one worker in each, and the first process prints."},
    Meaning{"SLURM_JOB_NODELIST",
            "Read where a scenario says parallel: {placement: {nodelist: SLURM_JOB_NODELIST}}, and nowhere else."},
};

constexpr std::array files = {
    Meaning{"SCENARIO",
            "What is to be predicted, in YAML: see ringsim-scenario(5). Files that it names are looked for beside it."},
    Meaning{"results",
            "Files that options name are complete or not there: until then their text is in a file beside them. The "
            "table of "
            "sweep grows row by row instead, and is continued."},
    Meaning{"ringsim-flow, ringsim-mpi",
            "Beside the program: the flow engine (with SimGrid) and what runs on this machine's cores (with Open MPI). "
            "ringsim --version says which are there."},
};

constexpr std::string_view examples =
    "ringsim run scenario.yaml\n"
    "ringsim run scenario.yaml --set 'cluster.inter_node.bandwidth=200 Gb/s' --set ring.layout=striped\n"
    "ringsim size scenario.yaml --set workload.scope=model --max-ttft '60 s'\n"
    "ringsim sweep scenario.yaml --set parallel.ring=2..64*2 --output table.csv\n"
    "ringsim why scenario.yaml\n"
    "ringsim show scenario.yaml | less\n";

}  // namespace

std::string program_manual(const CommandLine& line) {
  RoffPage page("RINGSIM", 1, "ringsim " + std::string(version), "User commands");
  page.section("NAME");
  page.paragraph(roff_text("ringsim - predicts ring attention: time, overlap, memory and B_min of a plan"));
  page.section("SYNOPSIS");
  page.paragraph(bold("ringsim") + " [" + italic("OPTION") + " ...] " + italic("COMMAND") + " [" + italic("ARGUMENT") +
                 " ...]");
  page.section("DESCRIPTION");
  page.paragraph(roff_text(line.description));
  page.paragraph(
      roff_text("A scenario says what is computed, on which machines, and how the one is spread over the other. From "
                "it ringsim makes "
                "the program that every rank executes, runs it with calibrated costs, and says how long it takes, what "
                "hides behind "
                "what, whether it fits, and why. Results go to standard output, messages to standard error."));
  page.section("OPTIONS");
  page.paragraph(roff_text("They may stand before or behind the name of a command, --version before it only."));
  for (const Argument& option : line.options) page.item(term_of(option), meaning_of(option));
  page.section("COMMANDS");
  for (const Command& command : line.commands) add_command(page, command);
  page.section("EXIT STATUS");
  for (const ExitMeaning& exit : exit_meanings)
    page.item(bold(fmt::format("{}", static_cast<int>(exit.status))), roff_text(std::string(exit.meaning) + "."));
  page.section("ENVIRONMENT");
  for (const Meaning& variable : environment) page.item(bold(variable.name), roff_text(variable.text));
  page.section("FILES");
  for (const Meaning& file : files) page.item(italic(file.name), roff_text(file.text));
  page.section("EXAMPLES");
  page.verbatim(examples);
  page.section("SEE ALSO");
  page.paragraph(bold("ringsim-scenario") + "(5), " + bold("mpirun") + "(1)");
  return page.text();
}

}  // namespace ringsim::cli::documents
