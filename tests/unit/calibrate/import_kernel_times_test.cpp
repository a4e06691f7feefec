#include "calibrate/import/import.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <gmock/gmock.h>

namespace ringsim::calibrate {
namespace {

using ::testing::ElementsAre;
using testing::error_of;
using testing::example;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::repository_file;

Points imported(const std::string& text, const ImportOptions& options = {}) {
  return import_points("times.csv", text, options);
}
std::string error(const std::string& text, const ImportOptions& options = {}) {
  return error_of([&] { (void)imported(text, options); });
}

TEST(ImportKernelTimes, EveryKernelOfTheExample) {
  const Points points = imported(example("kernel-times.csv"));
  ASSERT_EQ(points.attention.size(), 3U);

  const AttentionPoint& full = points.attention[0];
  EXPECT_EQ(full.pass, Pass::forward);
  EXPECT_EQ(full.shape.rows, 4096);
  EXPECT_EQ(full.shape.columns, 8192);
  EXPECT_EQ(full.shape.entries, 4096.0 * 8192);
  EXPECT_EQ(full.shape.edges, 0);
  EXPECT_EQ(full.heads.batch, 2);
  EXPECT_EQ(full.heads.query_heads, 32);
  EXPECT_EQ(full.heads.kv_heads, 8);
  EXPECT_EQ(full.heads.query_key_dim, 128);
  EXPECT_EQ(full.heads.value_dim, 128);
  EXPECT_EQ(full.dtype, Dtype::bf16);
  EXPECT_DOUBLE_EQ(full.time.median_s, 1500e-6);
  EXPECT_DOUBLE_EQ(full.time.low_s, 1480e-6);
  EXPECT_DOUBLE_EQ(full.time.high_s, 1530e-6);
  EXPECT_EQ(full.time.samples, 25);
  EXPECT_EQ(full.source, "times.csv:3");

  // A published rate counts half of the square: 4 · 128 FLOP a pair and head, 32 heads, 4096² / 2 pairs, at 400 TFLOP/s.
  const AttentionPoint& published = points.attention[1];
  EXPECT_DOUBLE_EQ(published.time.median_s, 4.0 * 128 * 32 * 4096 * 4096 / 2 / 400e12);
  EXPECT_EQ(published.shape.entries, 4096.0 * 4097 / 2);  // what the kernel works on includes the diagonal
  EXPECT_EQ(published.shape.edges, 1);
  EXPECT_EQ(published.source, "a vendor's slides, page 3 (times.csv:4)");

  // Rectangle under a causal mask: the entries are given.
  EXPECT_EQ(points.attention[2].pass, Pass::backward);
  EXPECT_EQ(points.attention[2].shape.entries, 6293504);
  EXPECT_EQ(points.attention[2].dtype, Dtype::fp16);

  ASSERT_EQ(points.merge.size(), 1U);
  EXPECT_EQ(points.merge[0].accumulator, Accumulator::kv_gradient);
  EXPECT_TRUE(points.merge[0].travelling);
  EXPECT_EQ(points.merge[0].tokens, 4096);
  EXPECT_EQ(points.merge[0].shape.heads.kv_heads, 8);
  ASSERT_EQ(points.gemm.size(), 1U);
  EXPECT_EQ(points.gemm[0].m, 4096);
  EXPECT_EQ(points.gemm[0].n, 8192);
  EXPECT_EQ(points.gemm[0].k, 1024);
  ASSERT_EQ(points.stream.size(), 1U);
  EXPECT_EQ(points.stream[0].bytes, 1e9);
  ASSERT_EQ(points.transfer.size(), 1U);
  EXPECT_EQ(points.transfer[0].link_class, "ib-ndr");
  EXPECT_EQ(points.transfer[0].bytes, 33554432);
  EXPECT_EQ(points.transfer[0].ranks, 8);
  EXPECT_DOUBLE_EQ(points.transfer[0].time.median_s, 720.5e-6);
  ASSERT_EQ(points.launch.size(), 1U);
  EXPECT_DOUBLE_EQ(points.launch[0].time.median_s, 4.5e-6);
  EXPECT_THAT(points.notes, IsEmpty());
}

TEST(ImportKernelTimes, UnitsComeFromTheColumnsName) {
  for (const char* row : {"time_s\nlaunch,0.002", "time_ms\nlaunch,2", "time_us\nlaunch,2000", "time_ns\nlaunch,2e6",
                          "median_ms\nlaunch,2"}) {
    EXPECT_DOUBLE_EQ(imported(std::string("kernel,") + row).launch.at(0).time.median_s, 0.002) << row;
  }
}

TEST(ImportKernelTimes, PublishedTableOfTheShippedProfile) {
  // Row 8 of the file, backward or forward alike: its rate times the time must give the FLOP that the table counts. First
  // row: 32 sequences of 512 tokens, 16 heads of 128: 4 · 128 · 16 · 32 · 512² FLOP at 467 TFLOP/s.
  const std::string path = "scenarios/library/profiles/sources/h100-flash-attention-3.csv";
  const Points points = imported(repository_file(path));
  ASSERT_EQ(points.attention.size(), 36U);  // 37 lines with the header
  const AttentionPoint& first = points.attention[0];
  EXPECT_EQ(first.shape.rows, 512);
  EXPECT_EQ(first.shape.columns, 512);
  EXPECT_EQ(first.heads.batch, 32);
  EXPECT_DOUBLE_EQ(first.time.median_s, 4.0 * 128 * 16 * 32 * 512 * 512 / 467e12);
  EXPECT_THAT(first.source, HasSubstr("Dao-AILab/flash-attention"));
  int causal = 0;
  int backward = 0;
  for (const AttentionPoint& point : points.attention) {
    causal += point.shape.edges;
    backward += point.pass == Pass::backward ? 1 : 0;
  }
  EXPECT_EQ(causal, 18);  // 12 forward rows and 6 backward rows, counted in the file
  EXPECT_EQ(backward, 12);
  EXPECT_THAT(points.notes, IsEmpty());
}

TEST(ImportKernelTimes, HopsBetweenPlacesTakeTheClassesOfTheImport) {
  const std::string text = "where,bytes,time_us\nbetween nodes,2048,17\ninside a node,4096,5\n";
  ImportOptions options;
  options.intra_class = "nvlink4";
  options.inter_class = "ib-ndr";
  const Points points = imported(text, options);
  ASSERT_EQ(points.transfer.size(), 2U);
  EXPECT_EQ(points.transfer[0].link_class, "ib-ndr");
  EXPECT_EQ(points.transfer[1].link_class, "nvlink4");
  options.inter_class.clear();
  EXPECT_THAT(error(text, options),
              HasSubstr("times.csv:2: where | the link class of hops between nodes is not known | "
                        "give the import inter_class"));
}

TEST(ImportKernelTimes, CollectivesAreNamedByTheirKind) {
  // 1 MiB on 8 ranks as nccl-tests count it; who published it stands with the point and in its place.
  const Points points =
      imported("kernel,link_class,ranks,bytes,time_us,source\nall-reduce,nvlink4,8,1048576,31.5,a log\n");
  ASSERT_EQ(points.collective.size(), 1U);
  EXPECT_EQ(points.collective[0].kind, CollectiveKind::all_reduce);
  EXPECT_EQ(points.collective[0].ranks, 8);
  EXPECT_EQ(points.collective[0].bytes, 1048576);
  EXPECT_DOUBLE_EQ(points.collective[0].time.median_s, 31.5e-6);
  EXPECT_EQ(points.collective[0].origin, "a log");
  EXPECT_EQ(points.collective[0].source, "a log (times.csv:2)");
  EXPECT_THAT(error("kernel,link_class,ranks,bytes,time_us\nall-to-all,nvlink4,1,8,3\n"),
              HasSubstr("times.csv:2: ranks | a collective of one rank moves nothing"));
}

TEST(ImportKernelTimes, ConstantsFillInAndNamesRename) {
  ImportOptions options;
  options.constants = {{"query_heads", "16"}, {"head_dim", "64"}, {"dtype", "fp16"}, {"pass", "forward"}};
  options.names = {{"seqlen", "tokens"}, {"run", "ignore"}};
  const Points points = imported("run,kernel,seqlen,time_ms\n7,attention,1024,0.5\n", options);
  ASSERT_EQ(points.attention.size(), 1U);
  EXPECT_EQ(points.attention[0].heads.query_heads, 16);
  EXPECT_EQ(points.attention[0].heads.kv_heads, 16);  // as many as query heads where not given
  EXPECT_EQ(points.attention[0].shape.entries, 1024.0 * 1024);
  EXPECT_EQ(points.attention[0].dtype, Dtype::fp16);

  options.constants["querry_heads"] = "1";
  EXPECT_THAT(error("kernel,time_s\nlaunch,1\n", options), HasSubstr("did you mean query_heads?"));
}

TEST(ImportKernelTimes, TheExampleOfTheDocumentation) {
  std::string text = repository_file("docs/IMPORT.md");
  const std::size_t begin = text.find("```csv\n") + 7;
  text = text.substr(begin, text.find("```", begin) - begin);
  const Points points = imported(text);
  ASSERT_EQ(points.attention.size(), 2U);
  // 4 · 128 FLOP a pair and head, 16 heads, 2 sequences of 8192² pairs, at 646 TFLOP/s.
  EXPECT_DOUBLE_EQ(points.attention[0].time.median_s, 4.0 * 128 * 16 * 2 * 8192 * 8192 / 646e12);
  EXPECT_EQ(points.attention[1].pass, Pass::backward);
  ASSERT_EQ(points.transfer.size(), 1U);
  EXPECT_DOUBLE_EQ(points.transfer[0].time.median_s, 95.2e-6);
}

TEST(ImportKernelTimes, ErrorsNameLineAndColumn) {
  EXPECT_THAT(error("kernel,row_tokens,time_s\nattention,1,1\n"),
              HasSubstr("times.csv:1 | the column row_tokens is not known | did you mean rows_tokens?"));
  EXPECT_THAT(error("kernel,time_us,median_us\nlaunch,1,1\n"), HasSubstr("says the same as another: time_us"));
  EXPECT_THAT(error("kernel,time_us\nlaunch,\n"), HasSubstr("times.csv:2: time_s | no time is given"));
  EXPECT_THAT(error("kernel,time_us\nlaunch,-3\n"), HasSubstr("times.csv:2: time_us | \"-3\" is no positive number"));
  EXPECT_THAT(error("kernel,time_us\nlaunch,nan\n"), HasSubstr("\"nan\" is no positive number"));
  EXPECT_THAT(error("kernel,time_us\nlaunch,\"1,5\"\n"), HasSubstr("\"1,5\" is no positive number"));
  EXPECT_THAT(error("kernel,time_us,time_ms\nlaunch,1,1\n"), HasSubstr("the time is given twice"));
  EXPECT_THAT(error("kernel,time_us,low_us\nlaunch,1,2\n"),
              HasSubstr("times.csv:2: low | the time 1e-06 s is not between"));
  EXPECT_THAT(error("kernel,time_us\nlunch,1\n"),
              HasSubstr("times.csv:2: kernel | \"lunch\" is not known | did you mean launch?"));
  EXPECT_THAT(error("kernel,bytes,time_us\nlaunch,8,1\n"),
              HasSubstr("times.csv:2: bytes | bytes says nothing of kernel launch"));
  EXPECT_THAT(error("kernel,rate_tflop_per_s\nlaunch,1\n"), HasSubstr("a rate in FLOP says nothing of this kernel"));
  EXPECT_THAT(error("kernel,m,n,k,dtype,time_us\ngemm,1,1.5,1,bf16,1\n"),
              HasSubstr("times.csv:2: n | \"1.5\" is no positive whole number"));
  EXPECT_THAT(error("bytes,time_us\n8,1\n"), HasSubstr("times.csv:2: kernel | the kernel is not named"));
  EXPECT_THAT(error("kernel,bytes,time_us\nhop,8,1\n"), HasSubstr("times.csv:2: where | the value is missing"));
}

TEST(ImportKernelTimes, AttentionShapesThatCannotBe) {
  const std::string header =
      "kernel,pass,rows_tokens,columns_tokens,tokens,causal,entries,query_heads,kv_heads,head_dim,dtype,time_us\n";
  EXPECT_THAT(error(header + "attention,forward,8,16,,true,,4,4,64,bf16,1\n"),
              HasSubstr("causal | a causal mask over a rectangle can be aligned"));
  EXPECT_THAT(error(header + "attention,forward,8,8,,false,65,4,4,64,bf16,1\n"),
              HasSubstr("entries | 65 pairs do not fit into 8 x 8"));
  EXPECT_THAT(error(header + "attention,forward,8,8,8,false,,4,4,64,bf16,1\n"),
              HasSubstr("both tokens and a rectangle"));
  EXPECT_THAT(error(header + "attention,forward,8,8,,false,,4,3,64,bf16,1\n"),
              HasSubstr("3 key/value heads do not divide 4"));
  EXPECT_THAT(error(header + "attention,forward,8,8,,maybe,,4,4,64,bf16,1\n"),
              HasSubstr("causal | \"maybe\" is neither true nor false"));
  EXPECT_THAT(error(header + "attention,sideways,8,8,,false,,4,4,64,bf16,1\n"),
              HasSubstr("pass | \"sideways\" is not known"));
  EXPECT_THAT(error(header + "attention,forward,8,8,,false,,4,4,64,int4,1\n"),
              HasSubstr("dtype | the number format \"int4\" is not known"));
}

}  // namespace
}  // namespace ringsim::calibrate
