#include "calibrate/compare/comparison.hpp"
#include "calibrate/import/measured.hpp"
#include "models/error.hpp"
#include "scenarios/reader.hpp"
#include "sim/predict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

namespace ringsim::calibrate {
namespace {

using testing::Contains;
using testing::HasSubstr;

// One layer on two ranks, all of it unmasked: two attention kernels, one merge and one hop a rank.
Scenario two_ranks() {
  return scenarios::read_scenario(std::string(RINGSIM_SOURCE_DIR) + "/scenarios/studies/host-two-ranks.yaml",
                                  {"model.layers=1", "workload.causal=false", "ring.layout=contiguous"});
}

// Kernels of one rank [us]: attention 0-100, hop 5-60, attention 110-210, a merge 215-220, and a GEMM of elsewhere.
std::string trace(int rank) {
  const auto kernel = [](const std::string& name, int stream, int start, int length) {
    return R"({"ph":"X","cat":"kernel","name":")" + name + R"(","pid":0,"tid":)" + std::to_string(stream) +
           R"(,"ts":)" + std::to_string(start) + R"(,"dur":)" + std::to_string(length) +
           R"(,"args":{"device":0,"stream":)" + std::to_string(stream) + "}}";
  };
  return R"({"distributedInfo":{"backend":"nccl","rank":)" + std::to_string(rank) +
         R"(,"world_size":2},"traceEvents":[)" + kernel("flash_fwd_kernel", 7, 0, 100) + "," +
         kernel("ncclDevKernel_SendRecv", 20, 5, 55) + "," + kernel("flash_fwd_kernel", 7, 110, 100) + "," +
         kernel("vectorized_elementwise_kernel", 7, 215, 5) + "," + kernel("sm90_xmma_gemm", 7, 300, 50) + "]}";
}

TEST(ImportMeasurement, TracesOfAllRanksBecomeAMeasurementThatCompares) {
  const std::string first = trace(0);
  const std::string second = trace(1);
  const Scenario scenario = two_ranks();
  const Measurement m = import_measurement(scenario, {{"rank0.json", first}, {"rank1.json", second}}, {});
  // From the first kernel at 0 to the merge's end at 220 us; the GEMM is no part of the ring.
  EXPECT_NEAR(m.makespan_s, 220e-6, 1e-12);
  EXPECT_EQ(m.timeline.spans.size(), 8U);
  EXPECT_THAT(m.notes, Contains(HasSubstr("sm90_xmma_gemm")));
  EXPECT_TRUE(m.per_rank.empty());  // nothing is known of waits

  sim::PredictOptions how;
  how.collect_timeline = true;
  constexpr std::int64_t all = std::numeric_limits<std::int64_t>::max();
  how.window = {all, all, all};
  const Comparison c = compare(scenario, sim::predict(scenario, how), m);
  EXPECT_TRUE(c.one_by_one);
  EXPECT_NEAR(c.judged().measured, 220e-6, 1e-12);
  double attention_s = 0;
  for (const OperationGroup& group : c.groups) attention_s += group.name == "attend" ? group.measured_s : 0;
  EXPECT_NEAR(attention_s, 4 * 100e-6, 1e-12);
}

TEST(ImportMeasurement, ARingNeedsTheTraceOfEveryRank) {
  const std::string first = trace(0);
  try {
    (void)import_measurement(two_ranks(), {{"rank0.json", first}}, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.message(), HasSubstr("1 rank, the scenario's ring has 2"));
  }
}

TEST(ImportMeasurement, AKernelTableGivesSumsAlone) {
  const std::string table =
      "Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name\n"
      "80.0,400000,4,100000,100000,90000,110000,1000,\"flash_fwd_kernel<128, 64>\"\n"
      "15.0,110000,2,55000,55000,54000,56000,10,ncclDevKernel_SendRecv\n"
      "5.0,20000,2,10000,10000,9000,11000,10,sm90_xmma_gemm\n";
  const Measurement m = import_measurement(two_ranks(), {{"kernels.csv", table}}, {});
  EXPECT_EQ(m.makespan_s, 0.0);
  ASSERT_EQ(m.totals.size(), 2U);
  EXPECT_EQ(m.totals[0].name, "attend");
  EXPECT_EQ(m.totals[0].count, 4);
  EXPECT_NEAR(m.totals[0].total_s, 400e-6, 1e-15);
  EXPECT_THAT(m.notes, Contains(HasSubstr("sm90_xmma_gemm (0.02 ms)")));
}

TEST(ImportMeasurement, ATraceWithoutARingIsAnErrorThatNamesWhatIsThere) {
  const std::string none =
      R"([{"ph":"X","cat":"kernel","name":"my_attention","pid":0,"tid":7,"ts":0,"dur":5,"args":{"device":0}},
                               {"ph":"X","cat":"kernel","name":"my_attention","pid":1,"tid":7,"ts":0,"dur":5,"args":{"device":1}}])";
  EXPECT_THROW((void)import_measurement(two_ranks(), {{"trace.json", none}}, {}), Error);
}

}  // namespace
}  // namespace ringsim::calibrate
