// Every command of the cookbook prints what stands below it. RINGSIM_UPDATE_GOLDEN=1 ringsim-golden-tests writes the blocks anew:
// read the difference before accepting it.

#include "tests/golden/shown_commands.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

TEST(Cookbook, ShowsWhatTheCommandsPrint) {
  const std::filesystem::path file = source_folder() / "docs/COOKBOOK.md";
  std::string document = content_of(file);
  const std::vector<ShownCommand> commands = shown_commands(document);
  ASSERT_FALSE(commands.empty());
  const char* update = std::getenv("RINGSIM_UPDATE_GOLDEN");
  const bool write = update != nullptr && *update != '\0';
  for (auto command = commands.rbegin(); command != commands.rend(); ++command) {  // places before stay where they are
    SCOPED_TRACE("docs/COOKBOOK.md:" + std::to_string(command->line));
    const Outcome outcome = run(command->arguments);
    EXPECT_EQ(outcome.status, command->status) << outcome.err;
    EXPECT_TRUE(command->has_text) << "a command without what it prints";
    if (!command->has_text || outcome.status != command->status) continue;
    std::string shown;
    try {
      shown = shown_of(outcome.out, command->shown);
    } catch (const std::runtime_error& error) {
      ADD_FAILURE() << error.what();
      continue;
    }
    const std::string stands = document.substr(command->begin, command->end - command->begin);
    if (write) {
      document.replace(command->begin, command->end - command->begin, shown);
    } else {
      EXPECT_EQ(stands, shown);
    }
  }
  if (write) std::ofstream(file, std::ios::binary) << document;
}

TEST(ShownCommands, AreReadAsAShellAndAReaderWould) {
  // The second block continues its command over a line, quotes a value, shows parts, and ends with status 4; the third is no command.
  const std::string document =
      "```sh\nringsim run a.yaml\n```\n\n```text\none\n```\nProse.\n"
      "```sh\nringsim size b.yaml \\\n  --set 'x=1 GB/s'\n```\n<!-- shown: status 4, answer, Last "
      "-->\n```text\nold\n```\n"
      "```sh\nmpirun -n 2 ringsim sweep c.yaml\n```\n";
  const std::vector<ShownCommand> commands = shown_commands(document);
  ASSERT_EQ(commands.size(), 2U);
  EXPECT_EQ(commands[0].arguments, (std::vector<std::string>{"run", "a.yaml"}));
  EXPECT_EQ(document.substr(commands[0].begin, commands[0].end - commands[0].begin), "one\n");
  EXPECT_EQ(commands[1].arguments, (std::vector<std::string>{"size", "b.yaml", "--set", "x=1 GB/s"}));
  EXPECT_EQ(commands[1].status, 4);
  EXPECT_EQ(document.substr(commands[1].begin, commands[1].end - commands[1].begin), "old\n");
  // Of answer, First and Last the first and the last are kept; one line stands for what is left out.
  EXPECT_EQ(shown_of("yes\n  indeed\n\nFirst (note)\n  1\n\nLast (note)\n  2\n", commands[1].shown),
            "yes\n  indeed\n...\n\nLast (note)\n  2\n");
  EXPECT_EQ(shown_of("a\nb\nc\nd\n", {"2-3"}), "...\nb\nc\n...\n");
  EXPECT_EQ(shown_of("a,b\r\n1,2\r\n", {}), "a,b\n1,2\n");
  EXPECT_THROW(static_cast<void>(shown_of("a\n", {"Missing"})), std::runtime_error);
}

}  // namespace
}  // namespace ringsim::golden
