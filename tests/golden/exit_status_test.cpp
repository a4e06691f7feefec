// How the program ends: exit statuses, which stream says what, and outputs that cannot be written.

#include "tests/golden/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string study = (source_folder() / "scenarios/studies/llama3-70b-1m-h100.yaml").string();

TEST(ExitStatus, ResultsGoToStandardOutputOnly) {
  const Outcome outcome = run({"run", study});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
}

TEST(ExitStatus, UsageErrorsAre2AndPointToHelp) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"fly"},
      {"run"},
      {"run", study, "--nonsense"},
      {"run", study, "--format", "xml"},
      {"run", study, "--seed", "-1"},
      {"run", study, "--seed", "99999999999999999999999"},
      {"run", study, "another.yaml"},
      {"run", study, "--color", "maybe"},
      {"run", study, "--engine", "closed-form", "--trace", "trace.json"},
  };
  for (const auto& arguments : wrong) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << testing::PrintToString(arguments) << outcome.err;
    EXPECT_TRUE(outcome.out.empty());
    EXPECT_THAT(outcome.err, AllOf(StartsWith("error: "), HasSubstr("--help"))) << testing::PrintToString(arguments);
  }
}

TEST(ExitStatus, AMissingScenarioIs3AndNamesTheNearest) {
  const Outcome outcome = run({"run", "scenarios/studies/lama3-70b-1m-h100.yaml"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err,
            "error: scenarios/studies/lama3-70b-1m-h100.yaml: no such file\n"
            "  hint: did you mean scenarios/studies/llama3-70b-1m-h100.yaml?\n");
}

TEST(ExitStatus, AFolderIsNoScenario) { EXPECT_EQ(run({"show", "scenarios"}).status, 3); }

TEST(ExitStatus, AnIllegalValueIs3AndSaysWhere) {
  const Outcome outcome = run({"run", study, "--set", "ring.layout=spiral"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("error: "), HasSubstr("ring.layout"), HasSubstr("zigzag")));
}

TEST(ExitStatus, AnEngineThatIsNotBuiltInIs5) {
  const Outcome outcome = run({"run", study, "--engine", "flow"});
  EXPECT_EQ(outcome.status, 5);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("not built into"));
}

TEST(ExitStatus, ATraceThatCannotBeWrittenIs7) {
  const Outcome outcome = run({"run", study, "--trace", "no/such/folder/trace.json"});
  EXPECT_EQ(outcome.status, 7);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("no/such/folder/trace.json"), HasSubstr("No such file or directory")));
}

TEST(ExitStatus, AFullDiskIs7) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const Outcome results = run({"run", study}, {.output_to = "/dev/full"});
  EXPECT_EQ(results.status, 7);
  EXPECT_THAT(results.err, HasSubstr("No space left"));
  EXPECT_EQ(run({"run", study, "--trace", "/dev/full"}).status, 7);
}

TEST(ExitStatus, AReaderThatHasGoneEndsItQuietly) {
  const Outcome outcome = run({"library"}, {.output_closed_early = true});
  EXPECT_EQ(outcome.signal, SIGPIPE);
  EXPECT_EQ(outcome.err, "");
}

TEST(Surroundings, TheLibraryIsCompiledIn) {
  const TemporaryFolder elsewhere;
  const Outcome there = run({"run", study, "--format", "csv"}, {.folder = elsewhere.path()});
  EXPECT_EQ(there.status, 0) << there.err;
  EXPECT_EQ(there.out, run({"run", study, "--format", "csv"}).out);
}

TEST(Surroundings, ShownScenariosCanBeRun) {
  const TemporaryFolder folder;
  const std::string copy = (folder.path() / "copy.yaml").string();
  std::ofstream(copy) << run({"show", study}).out;
  const Outcome again = run({"run", copy, "--format", "csv"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(again.out, run({"run", study, "--format", "csv"}).out);
}

TEST(Surroundings, ColorMayStandAnywhere) {
  EXPECT_THAT(run({"--color", "always", "run", study}).out, HasSubstr("\x1b["));
  EXPECT_THAT(run({"run", "--color=always", study}).out, HasSubstr("\x1b["));
}

TEST(Set, ValuesAreTakenAsTheyStand) {
  const Outcome outcome = run(
      {"show", study, "--format", "json", "--set", "noise.stragglers=[{rank: 1, slowdown: 1.5}]", "--set", "name=a,b"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, AllOf(HasSubstr("noise.stragglers.0.slowdown"), HasSubstr("\"1.5\""), HasSubstr("\"a,b\"")));
}

TEST(Trace, IsWrittenBesideTheResults) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "trace.json").string();
  const Outcome outcome = run({"run", study, "--trace", file, "--format", "json"});
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_TRUE(nlohmann::json::parse(outcome.out).contains("makespan_s"));
  const auto trace = nlohmann::json::parse(content_of(file));
  EXPECT_GT(trace["traceEvents"].size(), 100U);
}

}  // namespace
}  // namespace ringsim::golden
