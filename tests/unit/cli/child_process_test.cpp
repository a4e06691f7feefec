#include "cli/child_process.hpp"

#include "models/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

namespace ringsim::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> lines;
ChildOutcome shell(const std::string& script) {
  lines.clear();
  return run_child({"sh", "-c", script}, {{"RINGSIM_TEST_WORD", "hop"}},
                   [](std::string_view line) { lines.emplace_back(line); });
}

TEST(ChildProcess, LinesErrorsAndStatusComeBack) {
  const ChildOutcome outcome = shell("echo one; echo $RINGSIM_TEST_WORD; echo trouble >&2; printf unfinished; exit 3");
  EXPECT_EQ(outcome.exit_status, 3);
  EXPECT_EQ(outcome.signal, 0);
  EXPECT_EQ(outcome.errors, "trouble\n");
  EXPECT_THAT(lines, ElementsAre("one", "hop"));  // a line is one that ends
  EXPECT_FALSE(outcome.interrupted);
}

TEST(ChildProcess, OfALongComplaintTheEndIsKept) {
  // 10,000 lines of ten characters are 100,000 bytes; 65,536 are kept.
  const ChildOutcome outcome = shell("i=0; while [ $i -lt 10000 ]; do printf '%09d\\n' $i >&2; i=$((i+1)); done");
  EXPECT_EQ(outcome.errors.size(), 65536U);
  EXPECT_THAT(outcome.errors, testing::EndsWith("000009999\n"));
}

TEST(ChildProcess, ASignalIsTold) { EXPECT_EQ(shell("kill -9 $$").signal, SIGKILL); }

TEST(ChildProcess, AProgramThatIsNotThereIsAnError) {
  try {
    (void)run_child({"ringsim-no-such-program"}, {}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("cannot start ringsim-no-such-program"));
  }
}

}  // namespace
}  // namespace ringsim::cli
