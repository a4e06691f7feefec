// Every command of the cookbook prints what stands below it. RINGSIM_UPDATE_GOLDEN=1 ringsim-golden-tests writes the blocks anew:
// read the difference before accepting it.

#include "tests/golden/shown_document.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

TEST(Cookbook, ShowsWhatTheCommandsPrint) { hold_to_its_commands("docs/COOKBOOK.md"); }

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
  EXPECT_EQ(shown_of("a\n  b 1\nc\nb 2\n", {"line b"}), "...\n  b 1\n...\nb 2\n");
  EXPECT_THROW(static_cast<void>(shown_of("a\n", {"Missing"})), std::runtime_error);
  EXPECT_THROW(static_cast<void>(shown_of("a\n", {"line b"})), std::runtime_error);
}

}  // namespace
}  // namespace ringsim::golden
