// The README shows what the commands print: to the letter, or it would mislead.

#include "tests/golden/shown_commands.hpp"

#include <gtest/gtest.h>

namespace ringsim::golden {
namespace {

TEST(Readme, ShowsWhatTheCommandsPrint) {
  const std::string readme = content_of(source_folder() / "README.md");
  for (const auto& [command, study] : {std::pair("run", "llama3-70b-1m-h100"), std::pair("bmin", "seed-h100-nvlink")}) {
    const Outcome outcome = run({command, "scenarios/studies/" + std::string(study) + ".yaml"});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_TRUE(shows(readme, outcome.out)) << "README.md does not hold the output of ringsim " << command;
  }
}

}  // namespace
}  // namespace ringsim::golden
