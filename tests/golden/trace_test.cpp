// Traces that the program writes are sound, of whatever run they are, and as small as the ranges ask for.

#include "tests/golden/program.hpp"
#include "tests/unit/reports/trace_format.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace ringsim::golden {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using trace_format::problems_of;

const std::string study = "scenarios/studies/infiniband-bound-ring.yaml";

class TraceFiles : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const char* name) const { return (folder_.path() / name).string(); }
  TemporaryFolder folder_;
};

/// What gzip makes of a file.
std::string unpacked(const std::string& file) {
  std::string text;
  std::FILE* pipe = ::popen(("gzip -dc '" + file + "'").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("no gzip");
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  EXPECT_EQ(::pclose(pipe), 0) << "gzip finds the file damaged";
  return text;
}

TEST_F(TraceFiles, AreCompressedByTheirEndingAndTheSameEveryTime) {
  // Ranks 2 and 3 and 7, layer 4 in both passes of which there is one, steps 1 to 2 of 8.
  const std::vector<std::string> range = {"--trace-ranks", "2..3,7", "--trace-layers", "4", "--trace-steps", "1..2"};
  const auto write = [&](const std::string& to) {
    std::vector<std::string> arguments = {"run", study, "--trace", to};
    arguments.insert(arguments.end(), range.begin(), range.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
  };
  write(file("a.json"));
  write(file("b.json.gz"));
  write(file("c.json.gz"));
  const std::string text = content_of(file("a.json"));
  EXPECT_EQ(unpacked(file("b.json.gz")), text);
  EXPECT_EQ(content_of(file("b.json.gz")), content_of(file("c.json.gz")));
  EXPECT_LT(std::filesystem::file_size(file("b.json.gz")), text.size() / 3);
  EXPECT_THAT(problems_of(text), IsEmpty());
  const json trace = json::parse(text);
  EXPECT_EQ(trace["otherData"]["window"], "ranks 2 to 3 of 8 and rank 7; layer 4 of 32; steps 1 to 2 of 8");
  std::set<int> ranks;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    ranks.insert(event["pid"].get<int>());
    EXPECT_EQ(event["args"]["layer"], 4);
    EXPECT_TRUE(event["args"]["step"] == 1 || event["args"]["step"] == 2);
  }
  EXPECT_EQ(ranks, (std::set<int>{2, 3, 7}));
}

TEST_F(TraceFiles, OfTheFlowEngineAreSound) {
  if (!std::filesystem::exists(std::filesystem::path(RINGSIM_BINARY).parent_path() / "ringsim-flow")) {
    GTEST_SKIP() << "built without SimGrid";
  }
  const std::string out = file("trace.json");
  const Outcome flow = run({"run", study, "--engine", "flow", "--trace", out, "--trace-ranks", "0..3"});
  ASSERT_EQ(flow.status, 0) << flow.err;
  EXPECT_THAT(problems_of(content_of(out)), IsEmpty());
  EXPECT_EQ(json::parse(content_of(out))["otherData"]["made_by"], "flow");
}

TEST(TraceRanges, WhatIsNotThereIsAUsageErrorThatSaysWhatIs) {
  struct Wrong {
    std::vector<std::string> arguments;
    std::string says;
  };
  const std::vector<Wrong> all = {
      {{"--trace-ranks", "0..7"}, "--trace-ranks belongs to --trace"},
      {{"--trace", "/dev/null", "--trace-ranks", "8"}, "this run has 8 ranks; they are 0..7"},
      {{"--trace", "/dev/null", "--trace-layers", "31..32"}, "this run has 32 layers; they are 0..31"},
      {{"--trace", "/dev/null", "--trace-steps", "3..1"}, "it ends before it begins: 1..3?"},
      {{"--trace", "/dev/null", "--trace-micro-batches", "1"}, "numbered 0"},
      {{"--trace", "/dev/null", "--trace-steps", "one"}, "a range of steps is written 0..7"}};
  for (const Wrong& wrong : all) {
    std::vector<std::string> arguments = {"run", study};
    arguments.insert(arguments.end(), wrong.arguments.begin(), wrong.arguments.end());
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << wrong.says;
    EXPECT_THAT(outcome.err, HasSubstr(wrong.says));
    EXPECT_EQ(outcome.out, "");
  }
}

TEST(TraceRanges, PicturesInTextAreNoJson) {
  EXPECT_EQ(run({"run", study, "--gantt", "--format", "json"}).status, 2);
  EXPECT_EQ(run({"run", study, "--gantt", "--engine", "closed-form"}).status, 2);
}

}  // namespace
}  // namespace ringsim::golden
