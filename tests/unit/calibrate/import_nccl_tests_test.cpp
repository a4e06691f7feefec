#include "calibrate/import/import.hpp"
#include "calibrate/import/nccl_tests.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using testing::example;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using testing::replaced;

const ImportOptions classes{"nvlink4", "ib-ndr", {}, {}};

Points imported(const std::string& text, const ImportOptions& options = classes) {
  return import_points("run.txt", text, options);
}
std::string error(const std::string& text, const ImportOptions& options = classes) {
  return error_of([&] { (void)imported(text, options); });
}

TEST(ImportNcclText, RowsOfSendReceiveAreHops) {
  const Points points = imported(example("nccl-sendrecv.txt"));
  // Of four rows the empty message and the one with wrong elements are left out; N/A says that the check was off.
  ASSERT_EQ(points.transfer.size(), 2U);
  EXPECT_EQ(points.transfer[0].bytes, 65536);
  EXPECT_DOUBLE_EQ(points.transfer[0].time.median_s, 10.00e-6);  // out of place, not the 9.98 us in place
  EXPECT_EQ(points.transfer[0].time.low_s, points.transfer[0].time.median_s);
  EXPECT_EQ(points.transfer[0].link_class, "nvlink4");  // both ranks are on node07
  EXPECT_EQ(points.transfer[0].ranks, 2);
  EXPECT_EQ(points.transfer[0].source, "run.txt:14");
  EXPECT_EQ(points.transfer[1].bytes, 67108864);
  EXPECT_DOUBLE_EQ(points.transfer[1].time.median_s, 250e-6);
  EXPECT_THAT(points.notes, Contains("run.txt:15: 3 wrong elements; the row is left out"));
  EXPECT_THAT(points.notes, Contains(HasSubstr("run.txt:13: an empty message")));
  EXPECT_THAT(points.notes, Contains(HasSubstr("means over the iterations")));
  EXPECT_EQ(points.provenance.discarded.at("wrong result"), 1);
  EXPECT_EQ(points.provenance.machine, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(points.provenance.software, "nccl-tests 2.17.0, NCCL 22900");
}

TEST(ImportNcclText, RanksOnSeveralHostsMeasureTheLinkBetweenThem) {
  const std::string text = replaced(example("nccl-sendrecv.txt"), "on     node07 device  1", "on     node08 device  1");
  EXPECT_EQ(imported(text).transfer.at(0).link_class, "ib-ndr");
  EXPECT_THAT(
      error(text, {"nvlink4", "", {}, {}}),
      HasSubstr("run.txt | the link class of hops between nodes is not known | its ranks are on several hosts"));
}

TEST(ImportNcclText, SplitCommunicatorsAreRingsOfTheirOwn) {
  // Ranks 0 and 1 are in groups of their own: each ring has one rank on one host, so no hop leaves a node.
  std::string text = replaced(example("nccl-sendrecv.txt"), "on     node07 device  1", "on     node08 device  1");
  text = replaced(text, "Rank  1 Group  0", "Rank  1 Group  1");
  EXPECT_EQ(imported(text).transfer.at(0).link_class, "nvlink4");
  EXPECT_EQ(imported(text).transfer.at(0).ranks, 1);
}

TEST(ImportNcclText, ColumnsOfIterationsAndTimestampsShiftTheHalves) {
  // -I 1 adds four columns to each half and -S two words at the end; the time stays the sixth word.
  const std::string text =
      "# Collective test starting: sendrecv_perf\n"
      "#  Rank  0 Pid 7 on a device 0 [0x1a] Tesla\n"
      "# size count type redop root time algbw busbw #wrong i_min i_max i_p99 i_cv% time algbw busbw #wrong i_min "
      "i_max i_p99 i_cv% timestamp\n"
      "# (B) (elements) (us) (GB/s) (GB/s) (us) (GB/s) (GB/s) %Y-%m-%d %H:%M:%S\n"
      "1000000 250000 float sum -1 20.00 50.00 50.00 0 19 22 22 1.5 21.00 47.62 47.62 N/A 19 22 22 1.5 2026-01-02 "
      "03:04:05\n"
      // Without an out-of-place half.
      "2000000 500000 float sum -1 21.00 95.24 95.24 N/A 19 22 22 1.5 2026-01-02 03:04:05\n";
  const Points points = imported(text);
  ASSERT_EQ(points.transfer.size(), 1U);
  EXPECT_DOUBLE_EQ(points.transfer[0].time.median_s, 20e-6);
  EXPECT_EQ(points.provenance.machine, "Tesla");
  EXPECT_THAT(points.notes, Contains("run.txt:6: no out-of-place time; the row is left out"));
}

TEST(ImportNcclText, LaunchersTagsAreNoPartOfALine) {
  std::string tagged;
  std::istringstream lines(example("nccl-sendrecv.txt"));
  for (std::string line; std::getline(lines, line);) tagged += "[1,0]<stdout>:" + line + "\n";
  EXPECT_EQ(imported(tagged).transfer.size(), 2U);
}

TEST(ImportNcclText, OtherTestsAreSkippedWithANote) {
  const std::string text =
      replaced(example("nccl-sendrecv.txt"), "starting: sendrecv_perf", "starting: all_reduce_perf");
  const Points points = imported(text, {});  // so no link class is needed either
  EXPECT_THAT(points.transfer, IsEmpty());
  EXPECT_THAT(points.notes, ElementsAre("run.txt: all_reduce measures no hop of a ring; 4 rows are skipped"));
}

TEST(ImportNcclText, SeveralTestsInOneFile) {
  const std::string one = example("nccl-sendrecv.txt");
  const Points points = imported(replaced(one, "starting: sendrecv_perf", "starting: all_reduce_perf") + one);
  EXPECT_EQ(points.transfer.size(), 2U);
  EXPECT_EQ(points.transfer[0].source, "run.txt:34");  // the first copy has 20 lines: line 14 of the second
}

TEST(ImportNcclText, AnUnnamedTestMustBeNamed) {
  const std::string text = replaced(example("nccl-sendrecv.txt"), "# Collective test starting: sendrecv_perf\n", "");
  EXPECT_THAT(error(text), HasSubstr("run.txt | the file does not say which test of nccl-tests it is from"));
  ImportOptions options = classes;
  options.constants["collective"] = "sendrecv";
  EXPECT_EQ(imported(text, options).transfer.size(), 2U);
}

TEST(ImportNcclText, ErrorsNameTheLine) {
  const std::string text = example("nccl-sendrecv.txt");
  // 64 KiB in 10.00 us are 6.5536 GB/s. Milliseconds in place of microseconds do not go unnoticed.
  EXPECT_THAT(error(replaced(text, "   10.00    6.55", "    0.01    6.55")),
              HasSubstr("run.txt:14 | 65536 B in 0.01 us are 6554 GB/s, but the row says 6.55 GB/s"));
  EXPECT_THAT(error(replaced(text, "   10.00    6.55", "   10.00    6.57")), HasSubstr("run.txt:14"));
  EXPECT_THAT(error(replaced(text, "   10.00    6.55", "    abc    6.55")),
              HasSubstr("run.txt:14 | \"abc\" is no time"));
  EXPECT_THAT(error(replaced(text, "133.58  133.58     N/A", "133.58")),
              HasSubstr("run.txt:15 | 11 columns instead of 13"));
  EXPECT_THAT(error(replaced(text, "(us)", "(ms)")), Not(HasSubstr("other units")));  // the second half still says (us)
  EXPECT_THAT(error(replaced(replaced(text, "(us)", "(ms)"), "(us)", "(ms)")),
              HasSubstr("run.txt:12 | the table has other units"));
  EXPECT_THAT(error(replaced(text, "on     node07 device  0", "")), HasSubstr("run.txt:7 | a rank's line is cut off"));
  EXPECT_THAT(error(replaced(text, "   time ", "cputime ")), HasSubstr("measure again without -C"));
  EXPECT_THAT(error(replaced(text, "   root ", "        ")),
              HasSubstr("run.txt:11 | the header is not that of nccl-tests"));
}

TEST(ImportNcclText, PrintedNumbersKnowTheirRounding) {
  EXPECT_DOUBLE_EQ(printed_number("14.80")->half_unit, 0.005);
  EXPECT_DOUBLE_EQ(printed_number("1234")->half_unit, 0.5);
  EXPECT_DOUBLE_EQ(printed_number("1.2e+06")->half_unit, 0.05e6);
  EXPECT_FALSE(printed_number("nan"));
  EXPECT_FALSE(printed_number("N/A"));
}

TEST(ImportNcclJson, IterationsGiveTheMedianAndItsInterval) {
  const Points points = imported(example("nccl-sendrecv.json"));
  // "nan" and a missing out-of-place half leave one row of three.
  ASSERT_EQ(points.transfer.size(), 1U);
  const TransferPoint& hop = points.transfer[0];
  EXPECT_EQ(hop.bytes, 4194304);
  EXPECT_EQ(hop.link_class, "ib-ndr");  // hosts a01 and a02
  EXPECT_EQ(hop.ranks, 4);              // two processes of two GPUs, of which the file lists the first
  // Sorted: 96 97 98 99 100 101 112. The median is the fourth; with seven samples the smallest and the largest enclose it
  // with 98.4 %, the second and sixth with 87.5 % only.
  EXPECT_DOUBLE_EQ(hop.time.median_s, 99e-6);
  EXPECT_DOUBLE_EQ(hop.time.low_s, 96e-6);
  EXPECT_DOUBLE_EQ(hop.time.high_s, 112e-6);
  EXPECT_EQ(hop.time.samples, 7);
  EXPECT_EQ(hop.source, "run.txt: results[0]");
  EXPECT_EQ(points.provenance.software, "nccl-tests, NCCL 2.28.6");
  EXPECT_EQ(points.provenance.machine, "NVIDIA H200");
  EXPECT_EQ(points.provenance.discarded.at("no time"), 2);
  EXPECT_THAT(points.notes, ElementsAre("run.txt: results[1]: no out-of-place time; the row is left out",
                                        "run.txt: results[2]: no out-of-place time; the row is left out"));
}

TEST(ImportNcclJson, ErrorsNameThePath) {
  const std::string text = example("nccl-sendrecv.json");
  EXPECT_THAT(error(replaced(text, "\"time\": 100.0", "\"cpu_time\": 100.0")), HasSubstr("measure again without -C"));
  EXPECT_THAT(error(replaced(text, "\"time\": 100.0", "\"time\": \"soon\"")),
              HasSubstr("run.txt: results[0].out_of_place.time | \"soon\" is no number"));
  EXPECT_THAT(error(replaced(text, "\"time\": 100.0", "\"time\": 0.1")),
              HasSubstr("run.txt: results[0] | 4194304 B in 0.1 us"));
  EXPECT_THAT(error(replaced(text, "\"size\": 4194304, ", "")), HasSubstr("run.txt: results[0] | size is missing"));
  EXPECT_THAT(error(replaced(text, "[99, 97", "[99, -97")), HasSubstr("times_us[1] | -97 is no time"));
  EXPECT_THAT(error(replaced(text, "\"devices\": [", "\"devices\": 3, \"x\": [")),
              HasSubstr("config.devices | an array is expected"));
  EXPECT_THAT(error(replaced(text, "./build/sendrecv_perf", "")), HasSubstr("does not say which test"));
  EXPECT_THAT(error(text.substr(0, 400)), HasSubstr("not valid JSON"));
}

}  // namespace
}  // namespace ringsim::calibrate
