#include "calibrate/import/import.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using testing::example;
using ::testing::HasSubstr;
using testing::replaced;

Points imported(const std::string& text, const ImportOptions& options = {}) {
  return import_points("bench.json", text, options);
}
std::string error(const std::string& text, const ImportOptions& options = {}) {
  return error_of([&] { (void)imported(text, options); });
}

TEST(ImportNvbench, StatesAreAttentionPoints) {
  const Points points = imported(example("nvbench.json"));
  ASSERT_EQ(points.attention.size(), 2U);
  const AttentionPoint& forward = points.attention[0];
  EXPECT_EQ(forward.pass, Pass::forward);
  EXPECT_EQ(forward.shape.rows, 4096);
  EXPECT_EQ(forward.shape.columns, 8192);
  EXPECT_EQ(forward.heads.query_heads, 32);
  EXPECT_EQ(forward.heads.kv_heads, 8);
  EXPECT_EQ(forward.heads.query_key_dim, 128);
  EXPECT_EQ(forward.heads.batch, 1);
  EXPECT_EQ(forward.dtype, Dtype::bf16);
  EXPECT_DOUBLE_EQ(forward.time.median_s, 1.69e-3);  // the median goes before the mean of 1.70 ms
  EXPECT_EQ(forward.time.samples, 1234);
  EXPECT_EQ(forward.source, "bench.json: benchmarks[0].states[0]");
  const AttentionPoint& backward = points.attention[1];
  EXPECT_EQ(backward.pass, Pass::backward);
  EXPECT_EQ(backward.shape.entries, 2048.0 * 2049 / 2);
  EXPECT_EQ(backward.dtype, Dtype::fp16);
  EXPECT_DOUBLE_EQ(backward.time.median_s, 4e-4);
  EXPECT_EQ(points.provenance.machine, "NVIDIA H200");
  EXPECT_EQ(points.provenance.discarded.at("skipped by nvbench"), 1);
  EXPECT_THAT(points.notes,
              ElementsAre("bench.json: benchmarks[0]: states that the benchmark skipped: 1 (out of memory)",
                          "benchmark fmha_backward gives the mean of its times, not the median",
                          HasSubstr("bench.json: benchmarks[2]: the name reduce_sum tells no kernel that is known")));
}

TEST(ImportNvbench, ABenchmarkWithoutAPassIsForwardAndSaysSo) {
  const Points points = imported(replaced(example("nvbench.json"), "fmha_backward", "fmha_block"));
  EXPECT_EQ(points.attention.at(1).pass, Pass::forward);
  EXPECT_THAT(points.notes, Contains("benchmark fmha_block does not say its pass: forward is assumed"));
}

TEST(ImportNvbench, AMatrixProductsAxesAreItsSides) {
  // "n" is a matrix side here, where an attention benchmark means its keys.
  const Points points = imported(R"({"devices": [], "benchmarks": [{"name": "cublas_gemm", "states": [{
    "axis_values": [{"name": "m", "value": "64"}, {"name": "n", "value": "32"}, {"name": "k", "value": "16"},
                    {"name": "dtype", "value": "F32"}],
    "summaries": [{"tag": "nv/cold/time/gpu/median", "data": [{"name": "value", "value": "1e-5"}]}]}]}]})");
  ASSERT_EQ(points.gemm.size(), 1U);
  EXPECT_EQ(points.gemm[0].n, 32);
  EXPECT_EQ(points.gemm[0].dtype, Dtype::fp32);
}

TEST(ImportNvbench, UnknownAxesAreMappedOrIgnoredByHand) {
  const std::string text = replaced(example("nvbench.json"), "\"name\": \"q\"", "\"name\": \"BlockRows\"");
  EXPECT_THAT(error(text),
              HasSubstr("bench.json: benchmarks[0].states[0].axis_values[0] | the axis BlockRows is not known"));
  ImportOptions options;
  options.names["BlockRows"] = "rows_tokens";
  EXPECT_EQ(imported(text, options).attention.at(0).shape.rows, 4096);
  options.names["BlockRows"] = "ignore";
  EXPECT_THAT(error(text, options), HasSubstr("rows_tokens | the value is missing"));
  options.names["BlockRows"] = "nonsense";
  EXPECT_THAT(error(text, options), HasSubstr("BlockRows is mapped to nonsense, which is no column"));
}

TEST(ImportNvbench, ErrorsNameThePath) {
  const std::string text = example("nvbench.json");
  EXPECT_THAT(error(replaced(text, "\"1.69e-03\"", "\"fast\"")), HasSubstr("data[0].value | \"fast\" is no number"));
  EXPECT_THAT(error(replaced(text, "\"4096\"", "\"4096.5\"")),
              HasSubstr("bench.json: benchmarks[0].states[0]: rows_tokens | \"4096.5\" is no positive whole number"));
  EXPECT_THAT(error(replaced(replaced(text, "gpu/median", "cpu/median"), "gpu/mean", "cpu/mean")),
              HasSubstr("bench.json: benchmarks[0].states[0] | no GPU time of cold runs"));
  EXPECT_THAT(error(replaced(text, "\"states\"", "\"estates\"")),
              HasSubstr("bench.json: benchmarks[0] | states is missing"));
  EXPECT_THAT(error(replaced(text, "\"name\": \"kv\"", "\"name\": \"sq\"")),
              HasSubstr("the axis sq says rows_tokens again"));
}

}  // namespace
}  // namespace ringsim::calibrate
