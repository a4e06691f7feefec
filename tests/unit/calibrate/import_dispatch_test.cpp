#include "calibrate/import/import.hpp"
#include "calibrate/samples.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::error_of;
using testing::example;
using ::testing::HasSubstr;

std::string error(const std::string& text) {
  return error_of([&] { (void)import_points("file", text, {}); });
}

TEST(ImportDispatch, UnknownKindsNameTheKnownOnesAndWhatWasSeen) {
  EXPECT_THAT(error("\n  Dear reader,\nhello\n"),
              AllOf(HasSubstr("it begins with \"Dear reader,\""), HasSubstr("nccl-tests"), HasSubstr("nvbench JSON"),
                    HasSubstr("docs/IMPORT.md")));
  EXPECT_THAT(error(R"({"model_type": "llama", "hidden_size": 1})"),
              HasSubstr("the JSON is of no kind that is known: an object with hidden_size, model_type"));
  EXPECT_THAT(error("[1, 2]"), HasSubstr("of no kind that is known: an array"));
  EXPECT_THAT(error("{\"results\": [1,\n  2,, 3]}"), HasSubstr("file:2:5 | not valid JSON"));
  EXPECT_THAT(error(" \n"), HasSubstr("the file is empty"));
}

TEST(ImportDispatch, FilesThatAreNoTextSayHowToMakeThemOne) {
  EXPECT_THAT(error("\x1F\x8B\x08 and so on"),
              HasSubstr("file | the file is compressed (gzip) | unpack it with gunzip"));
  EXPECT_THAT(error("SQLite format 3"), HasSubstr("nsys stats --report cuda_gpu_kern_sum --format csv"));
  EXPECT_THAT(error(std::string("QDSTRM\0\1", 8)), HasSubstr("the file is binary"));
}

TEST(ImportDispatch, SamplesOfOurOwnBenchmarks) {
  Samples samples;
  samples.provenance.device = "host";
  samples.benchmarks.push_back({StreamPoint{1e9, {0.5, 0.5, 0.5, 1}, "copy"}, {{{0.5}, {}}}});
  const Points points = import_points("samples.json", write_samples(samples), {});
  ASSERT_EQ(points.stream.size(), 1U);
  EXPECT_EQ(points.stream[0].time.median_s, 0.5);
  EXPECT_THAT(error(R"({"kind": "ringsim-samples"})"), HasSubstr("file"));
}

TEST(ImportDispatch, RunsAreNoBenchmarks) {
  EXPECT_THAT(error(example("trace-rank0.json")), HasSubstr("ringsim validate"));
  EXPECT_THAT(error(R"([{"ph": "X", "ts": 1}])"), HasSubstr("ringsim validate"));
  EXPECT_THAT(error(example("kern-sum.csv")), HasSubstr("ringsim validate"));
}

TEST(ImportDispatch, MergeKeepsAllPointsAndTellsMachinesApart) {
  Points a;
  a.provenance.machine = "H100";
  a.provenance.software = "NCCL 2.29";
  a.provenance.ranks = 2;
  a.provenance.discarded = {{"no time", 1}};
  a.launch.push_back({{4e-6, 4e-6, 4e-6, 1}, "a"});
  a.notes = {"same", "only a"};
  Points b = a;
  b.provenance.machine = "H200";
  b.provenance.ranks = 16;
  b.launch[0].source = "b";
  b.notes = {"same"};
  const Points both = merge({a, b});
  ASSERT_EQ(both.launch.size(), 2U);
  EXPECT_EQ(both.launch[1].source, "b");
  EXPECT_EQ(both.provenance.machine, "H100; H200");
  EXPECT_EQ(both.provenance.software, "NCCL 2.29");
  EXPECT_EQ(both.provenance.ranks, 16);
  EXPECT_EQ(both.provenance.discarded.at("no time"), 2);
  EXPECT_THAT(both.notes, ElementsAre("same", "only a", "the points come from different machines: H100; H200"));
  EXPECT_THAT(merge({a, a}).notes, ElementsAre("same", "only a"));
}

}  // namespace
}  // namespace ringsim::calibrate
