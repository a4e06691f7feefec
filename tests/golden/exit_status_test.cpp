// How the program ends: exit statuses, which stream says what, and outputs that cannot be written.

#include "tests/golden/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
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
      {"run", study, "--trace", ""},
      {"run", study, "--trace="},
      {"run", ""},
      {"bmin", ""},
      {"compare", study},  // nothing to compare with
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

// 8 G parameters in training do not fit in the 80 GB of one GPU; the report, with the plan that lacks least, is printed all the same.
TEST(ExitStatus, NothingFeasibleIsFour) {
  const Outcome outcome = run({"size", "scenarios/studies/floor-of-a-step.yaml", "--gpus", "1"});
  EXPECT_EQ(outcome.status, 4) << outcome.err;
  EXPECT_NE(outcome.out.find("Nearest miss"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.err.find("No plan fits"), std::string::npos) << outcome.err;
}

TEST(ExitStatus, AFolderIsNoScenario) { EXPECT_EQ(run({"show", "scenarios"}).status, 3); }

TEST(ExitStatus, AnIllegalValueIs3AndSaysWhere) {
  const Outcome outcome = run({"run", study, "--set", "ring.layout=spiral"});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(StartsWith("error: "), HasSubstr("ring.layout"), HasSubstr("zigzag")));
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

TEST(Trace, NeverTakesThePlaceOfTheScenario) {
  const TemporaryFolder folder;
  const std::string scenario = (folder.path() / "scenario.yaml").string();
  std::filesystem::copy_file(study, scenario);
  std::filesystem::create_symlink(scenario, folder.path() / "link");
  for (const std::string& target :
       {scenario, (folder.path() / "." / "scenario.yaml").string(), (folder.path() / "link").string()}) {
    const Outcome outcome = run({"run", scenario, "--trace", target});
    EXPECT_EQ(outcome.status, 2) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr("would overwrite the scenario"));
  }
  EXPECT_EQ(content_of(scenario), content_of(study));
}

TEST(Trace, IsThereOnlyWhenComplete) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "trace.json").string();
  std::ofstream(file) << "of yesterday";
  EXPECT_EQ(run({"run", study, "--trace", file}, {.largest_file = 16384}).signal, SIGXFSZ);
  EXPECT_EQ(content_of(file), "of yesterday");
  const TemporaryFolder other;
  const std::string complete = (other.path() / "trace.json").string();
  EXPECT_EQ(run({"run", study, "--trace", complete}).status, 0);
  EXPECT_TRUE(nlohmann::json::accept(content_of(complete)));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(other.path()), {}), 1) << "no other file is left";
  EXPECT_EQ(run({"run", study, "--trace", folder.path().string()}).status, 7) << "a folder";
}

TEST(Trace, APipeIsWrittenToDirectly) {
  const Outcome outcome = run({"run", study, "--format", "json", "--trace", "/dev/null"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
}

TEST(ExitStatus, ValuesAtTheLimitsOfTheLanguageAreComputedWith) {
  const std::vector<std::vector<std::string>> extremes = {
      {"profile.forward.half_depth.value=1e9", "profile.backward.half_depth.value=1e9"},
      {"profile.merge_traffic.value=1000", "profile.merge_bandwidth.value=1 B/s"},
      {"profile.links.ib-ndr.efficiency.value=0.0001", "cluster.inter_node.bandwidth=1 B/s"},
      {"profile.forward.saturated.value=1 MFLOP/s", "profile.forward.saturated.uncertainty=99%"},
      {"profile.forward.saturated.value=1000 EFLOP/s", "profile.launch.value=0 s"},
      {"profile.launch.value=3600 s", "profile.launch.uncertainty=99%", "profile.event_latency.value=3600 s"},
      {"cluster.gpu.bf16=1 MFLOP/s", "cluster.gpu.memory=1 B", "price.gpu_hour=1e9"},
      {"cluster.inter_node.bandwidth=1e18 B/s", "profile.links.ib-ndr.latency.value=0 s"},
  };
  for (const auto& sets : extremes) {
    for (const char* command : {"run", "bmin"}) {
      std::vector<std::string> arguments = {command, study, "--format", "json", "--set", "workload.phase=train"};
      for (const std::string& set : sets) arguments.insert(arguments.end(), {"--set", set});
      const Outcome outcome = run(arguments);
      EXPECT_EQ(outcome.status, 0) << testing::PrintToString(sets) << outcome.err;
    }
  }
}

TEST(ExitStatus, ValuesBeyondThemAre3) {
  for (const char* set : {"profile.forward.half_depth.value=1e308", "profile.merge_traffic=1e308",
                          "profile.links.ib-ndr.efficiency.value=1e-320", "profile.launch.uncertainty=1"}) {
    const Outcome outcome = run({"run", study, "--set", set});
    EXPECT_EQ(outcome.status, 3) << set;
    EXPECT_THAT(outcome.err, HasSubstr("legal: ")) << set;
  }
}

TEST(ExitStatus, MessagesAreNotCutAtANul) {
  const Outcome outcome = run({"run", study, "--set", "name=\"a\\0b\""});
  EXPECT_EQ(outcome.status, 3);
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("NUL"), testing::EndsWith("\n")));
}

TEST(Warnings, AProfileOfAnotherGpuIsNamedOnce) {
  const std::string out =
      run({"run", study, "--set", "cluster={use: dgx-a100, nodes: 8}", "--set", "profile=h100-sxm"}).out;
  const std::size_t first = out.find("not for a100-sxm");
  ASSERT_NE(first, std::string::npos) << out;
  EXPECT_EQ(out.find("not for a100-sxm", first + 1), std::string::npos);
}

}  // namespace
}  // namespace ringsim::golden
