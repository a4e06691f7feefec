// The reference of the language, the manual pages and the completion of shells are printed by the program. Here: the committed reference
// is what it prints, nothing of --help is missing anywhere, formatters and shells take the texts without a complaint, and bash and fish
// complete by them what a user types.

#include "tests/golden/shown_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string printed(const std::vector<std::string>& arguments) {
  const Outcome outcome = run(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return outcome.out;
}

/// Names of commands, and of each the options of its --help.
std::map<std::string, std::vector<std::string>> options_of_commands() {
  static const std::regex command("^  ([a-z]+) {2,}\\S");
  static const std::regex option("^  (?:-h,)?(--[a-z-]+)");
  std::map<std::string, std::vector<std::string>> all;
  bool in_commands = false;
  for (const std::string& line : lines_of(printed({"--help"}))) {
    in_commands = line == "Subcommands:" || (in_commands && !line.empty());
    std::smatch match;
    if (!in_commands || !std::regex_search(line, match, command)) continue;
    const std::string name = match[1].str();
    for (const std::string& of_command : lines_of(printed({name, "--help"}))) {
      if (std::regex_search(of_command, match, option)) all[name].push_back(match[1].str());
    }
  }
  return all;
}

/// From `begin` to the next `end`; empty where there is no such part.
std::string part_of(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  const std::size_t to = text.find(end, from + begin.size());
  return text.substr(from, to - from);
}

/// What a shell command prints on both streams, with the program as $0; nothing where `tool` is not installed.
std::string with_tool(const std::string& tool, const std::string& script) {
  const TemporaryFolder folder;
  const std::string whole =
      "command -v " + tool + " >/dev/null || { echo no " + tool + "; exit; }; exec 2>&1; " + script;
  return run({}, {.folder = folder.path(), .through = {"sh", "-c", whole}}).out;
}

TEST(Documents, TheReferenceIsWhatTheProgramPrints) {
  const std::filesystem::path file = source_folder() / "docs/SCENARIO.md";
  const std::string reference = printed({"schema", "--format", "markdown"});
  if (updates_golden_files()) std::ofstream(file, std::ios::binary) << reference;
  EXPECT_EQ(content_of(file), reference) << "write it anew: ringsim schema --format markdown > docs/SCENARIO.md";
}

TEST(Documents, EveryOptionOfEveryCommandIsInTheManualAndInEveryCompletion) {
  const std::string manual = printed({"man"});
  const std::string bash = printed({"completion", "bash"});
  const std::string zsh = printed({"completion", "zsh"});
  const std::string fish = printed({"completion", "fish"});
  const auto commands = options_of_commands();
  ASSERT_GE(commands.size(), 14U);
  for (const auto& [command, options] : commands) {
    SCOPED_TRACE(command);
    const std::string section = part_of(manual, ".SS \"ringsim " + command + "\"", "\n.S");
    const std::string function = part_of(zsh, "_ringsim_" + command + "() {", "\n}");
    EXPECT_THAT(options, Contains("--help"));
    for (const std::string& option : options) {
      SCOPED_TRACE(option);
      std::string escaped;  // a hyphen that is one
      for (const char c : option) escaped += c == '-' ? std::string("\\-") : std::string(1, c);
      EXPECT_THAT(section, HasSubstr("\\fB" + escaped + "\\fR"));
      EXPECT_THAT(bash, HasSubstr("'" + command + " " + option + "'"));
      EXPECT_TRUE(std::regex_search(function, std::regex(option + "(=?\\[|\\})")));
      if (option == "--help") continue;  // fish has it of the whole program
      EXPECT_TRUE(std::regex_search(
          fish, std::regex("__fish_seen_subcommand_from " + command + "'[^\n]* -l " + option.substr(2) + " ")));
    }
  }
}

TEST(Documents, TheManualHasEveryExitStatus) {
  const std::string manual = printed({"man"});
  const std::string statuses = part_of(printed({"--help"}), "Exit status:\n", "Results go");
  const std::vector<std::string> lines = lines_of(statuses);
  ASSERT_EQ(lines.size(), 1U + 9U);  // 0, 2 to 7, 70, 130, as the table of cli/exit_status.hpp has them
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const std::string number = trimmed(lines[i]).substr(0, trimmed(lines[i]).find(' '));
    EXPECT_THAT(manual, HasSubstr(".TP\n\\&\\fB" + number + "\\fR\n"));
  }
}

TEST(Documents, FormattersTakeTheManualPagesWithoutAComplaint) {
  for (const std::string page : {"", " scenario"}) {
    const std::string said = with_tool("groff", "\"$0\" man" + page + " | groff -man -ww -z");
    if (said == "no groff\n") GTEST_SKIP() << "groff is not installed";
    EXPECT_THAT(said, IsEmpty());
    const std::string shown =
        with_tool("man", "\"$0\" man" + page + " > page; LC_ALL=C.UTF-8 MANWIDTH=80 man --warnings -E UTF-8 -l page");
    if (shown == "no man\n") GTEST_SKIP() << "man is not installed";
    EXPECT_THAT(shown, AllOf(HasSubstr("NAME"), HasSubstr("ringsim"), Not(HasSubstr("warning"))));
  }
}

TEST(Documents, ShellsTakeTheirScripts) {
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string said = with_tool(shell, "\"$0\" completion " + shell + " > script; " + shell + " -n script");
    if (said == "no " + shell + "\n") continue;
    EXPECT_THAT(said, IsEmpty()) << shell;
  }
}

/// What bash would offer at the end of a line that it takes apart into these words.
std::vector<std::string> offered(const std::string& line, const std::vector<std::string>& words) {
  static const std::string script =
      "source <(\"$0\" completion bash); COMP_LINE=$1; COMP_POINT=${#1}; shift; COMP_WORDS=(\"$@\"); "
      "COMP_CWORD=$(($# - 1)); _ringsim; printf '%s\\n' \"${COMPREPLY[@]}\"";
  std::vector<std::string> arguments = {line};
  arguments.insert(arguments.end(), words.begin(), words.end());
  const Outcome outcome = run(arguments, {.through = {"bash", "--norc", "--noprofile", "-c", script}});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_EQ(outcome.err, "");
  return lines_of(outcome.out);
}

TEST(Documents, BashCompletesWhatIsTyped) {
  // Commands, options, and the words of an option as its --help has them.
  EXPECT_THAT(offered("ringsim ca", {"ringsim", "ca"}), ElementsAre("calibrate"));
  EXPECT_THAT(offered("ringsim run --eng", {"ringsim", "run", "--eng"}), ElementsAre("--engine"));
  EXPECT_THAT(offered("ringsim run --format ", {"ringsim", "run", "--format", ""}),
              ElementsAre("text", "json", "csv", "markdown"));
  EXPECT_THAT(offered("ringsim --color never b", {"ringsim", "--color", "never", "b"}), ElementsAre("bmin"));
  // bash has a word for =, and replaces what stands behind it alone.
  EXPECT_THAT(offered("ringsim run --engine=re", {"ringsim", "run", "--engine", "=", "re"}), ElementsAre("recurrence"));
  // Keys by steps, then values: phases as the language has them, names as the library has them.
  EXPECT_THAT(offered("ringsim run --set work", {"ringsim", "run", "--set", "work"}), ElementsAre("workload."));
  EXPECT_THAT(offered("ringsim run --set workload.ba", {"ringsim", "run", "--set", "workload.ba"}),
              ElementsAre("workload.batch="));
  EXPECT_THAT(offered("ringsim run --set workload.phase=", {"ringsim", "run", "--set", "workload.phase", "="}),
              ElementsAre("prefill", "train", "backward", "decode"));
  EXPECT_THAT(offered("ringsim run --set model=llama3-4", {"ringsim", "run", "--set", "model", "=", "llama3-4"}),
              ElementsAre("llama3-405b"));
  // Files: scenarios where a scenario is due, behind flags and options with values, too.
  EXPECT_THAT(offered("ringsim run --b-min --seed 3 scenarios/studies/ten",
                      {"ringsim", "run", "--b-min", "--seed", "3", "scenarios/studies/ten"}),
              ElementsAre("scenarios/studies/ten-gpu-1m.yaml"));
}

TEST(Documents, FishCompletesWhatIsTyped) {
  const std::string said =
      with_tool("fish",
                "\"$0\" completion fish > script; fish --no-config -c 'source script; "
                "complete -C \"ringsim run --set workload.phase=p\"; complete -C \"ringsim cal\"'");
  if (said == "no fish\n") GTEST_SKIP() << "fish is not installed";
  EXPECT_THAT(said, AllOf(HasSubstr("workload.phase=prefill"), HasSubstr("calibrate\t"), Not(HasSubstr("train"))));
}

}  // namespace
}  // namespace ringsim::golden
