#include "cli/failures.hpp"

#include <gtest/gtest.h>

namespace ringsim::cli {
namespace {

TEST(Failures, SayWhereWhatAndHint) {
  EXPECT_EQ(failure_text(Error("unknown key ringg", "a.yaml:3:1", "did you mean ring?"), {}),
            "error: a.yaml:3:1: unknown key ringg\n  hint: did you mean ring?\n");
}

TEST(Failures, LeaveOutWhatIsEmpty) {
  EXPECT_EQ(failure_text(Error("no such file", "a.yaml"), {}), "error: a.yaml: no such file\n");
  EXPECT_EQ(failure_text(Error("too few GPUs"), {}), "error: too few GPUs\n");
}

TEST(Failures, ControlCharactersDoNotCutTheMessage) {
  const std::string text = failure_text(Error(std::string("a\0b", 3), "f.yaml:1:1", "\x1b[2J"), {});
  EXPECT_EQ(text, "error: f.yaml:1:1: a?b\n  hint: ?[2J\n");
}

}  // namespace
}  // namespace ringsim::cli
