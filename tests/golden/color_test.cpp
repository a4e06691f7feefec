// Colour comes only where it is wanted: no command prints an escape byte with --color never, with NO_COLOR, or into a file; and every one
// that writes for people does with --color always.

#include "tests/golden/program.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

struct Case {
  std::vector<std::string> arguments;
  bool for_people = true;  // what it writes is for people, with emphasis
};

std::vector<Case> cases() {
  const std::string study = "scenarios/studies/floor-of-a-step.yaml";
  return {{{"run", study}},
          {{"run", study, "--gantt"}},
          {{"bmin", "scenarios/studies/infiniband-bound-ring.yaml"}},
          {{"size", study, "--gpus", "16"}},
          {{"sweep", study, "--set", "parallel.ring=1,2"}, false},
          {{"why", study}},
          {{"compare", study, "--set-b", "workload.tokens=64Ki"}},
          {{"validate", "--suite", "published", "--set-name", "meta-t4"}},
          {{"show", study}, false},
          {{"library"}},
          {{"schema"}, false},
          {{"run", study, "--format", "json"}, false},
          {{"run", study, "--gantt", "--format", "markdown"}, false},
          {{"--help"}, false},
          {{"run", "no-such-file.yaml"}}};
}

bool escapes(const Outcome& outcome) { return (outcome.out + outcome.err).find('\x1b') != std::string::npos; }

TEST(Color, ComesOnlyWhereItIsWanted) {
  for (const Case& one : cases()) {
    const auto with = [&](const std::string& choice) {
      std::vector<std::string> arguments = {"--color", choice};
      arguments.insert(arguments.end(), one.arguments.begin(), one.arguments.end());
      return arguments;
    };
    std::string command;
    for (const std::string& argument : one.arguments) command += argument + " ";
    Surroundings refused;
    refused.environment = {{"NO_COLOR", "1"}, {"TERM", "xterm-256color"}};
    EXPECT_FALSE(escapes(run(with("never")))) << command;
    EXPECT_FALSE(escapes(run(with("auto"), refused))) << command;
    EXPECT_EQ(escapes(run(with("always"))), one.for_people) << command;
  }
}

TEST(Color, OfATerminalIsRefusedByNoColor) {
  // `script` gives the program a terminal; where there is none of it, there is nothing to try.
  Surroundings terminal;
  terminal.environment = {{"TERM", "xterm-256color"}};
  const auto on_a_terminal = [&](const std::string& before) {
    // The program's own path is the shell's $0.
    terminal.through = {"sh", "-c",
                        "script -qec \"" + before + "$0 run scenarios/studies/floor-of-a-step.yaml\" /dev/null"};
    return run({}, terminal);
  };
  if (on_a_terminal("").status != 0) GTEST_SKIP() << "no script";
  EXPECT_TRUE(escapes(on_a_terminal("")));
  EXPECT_FALSE(escapes(on_a_terminal("NO_COLOR=1 ")));
  EXPECT_FALSE(escapes(on_a_terminal("TERM=dumb ")));
}

}  // namespace
}  // namespace ringsim::golden
