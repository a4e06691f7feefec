#include "calibrate/import/trace.hpp"
#include "tests/unit/calibrate/import_support.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <tuple>

namespace ringsim::calibrate {
namespace {

using sim::Span;
using sim::SpanKind;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::error_of;
using testing::example;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::replaced;

ImportedRun imported(const std::vector<std::string>& texts, const TraceOptions& options = {}) {
  std::vector<NamedText> files;
  for (const std::string& text : texts) files.push_back({fmt::format("r{}.json", files.size()), text});
  return import_trace(files, options);
}
std::string error(const std::vector<std::string>& texts) {
  return error_of([&] { (void)imported(texts); });
}

std::vector<Span> of_rank(const ImportedRun& run, std::int64_t rank, SpanKind kind) {
  std::vector<Span> spans;
  std::copy_if(run.spans.begin(), run.spans.end(), std::back_inserter(spans),
               [&](const Span& span) { return span.rank == rank && span.kind == kind; });
  return spans;
}

/// A trace of kernels "name@start+duration" [us] on stream 7 of device 0.
std::string kernels(const std::vector<std::tuple<std::string, double, double>>& list, const std::string& more = {}) {
  std::string events;
  for (const auto& [name, start_us, duration_us] : list) {
    events +=
        fmt::format(R"({}{{"ph":"X","cat":"kernel","name":"{}","ts":{},"dur":{},"args":{{"device":0,"stream":7}}}})",
                    events.empty() ? "" : ",\n", name, start_us, duration_us);
  }
  return "{" + more + "\"traceEvents\":[" + events + "]}";
}

TEST(ImportTrace, TwoRanksOfPyTorch) {
  const ImportedRun run = imported({example("trace-rank0.json"), example("trace-rank1.json")});
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.world_size, 2);
  EXPECT_EQ(run.backend, "nccl");
  EXPECT_EQ(run.machine, "NVIDIA H200");
  for (std::int64_t rank = 0; rank < 2; ++rank) {
    // The first kernel of the ring begins at 100 us on rank 0's clock. Rank 1 writes 95 us, but its times count from 5 us
    // later: both ranks begin at once.
    const std::vector<Span> attention = of_rank(run, rank, SpanKind::attention);
    ASSERT_EQ(attention.size(), 2U);
    EXPECT_EQ(attention[0].name, "attend");
    EXPECT_NEAR(attention[0].start_s, 0, 1e-12);
    EXPECT_NEAR(attention[0].end_s, 400.25e-6, 1e-12);
    EXPECT_NEAR(attention[1].start_s, 410e-6, 1e-12);
    EXPECT_EQ(attention[1].layer, -1);
    EXPECT_EQ(attention[1].step, -1);
    const std::vector<Span> transfers = of_rank(run, rank, SpanKind::transfer);
    ASSERT_EQ(transfers.size(), 1U);  // the annotation "nccl:coalesced" of the same time is not a kernel
    EXPECT_NEAR(transfers[0].start_s, 1e-6, 1e-12);
    EXPECT_NEAR(transfers[0].end_s, 151e-6, 1e-12);
    EXPECT_EQ(transfers[0].bytes, 131072);  // 65,536 elements of bf16
    // Two elementwise kernels directly follow the second attention kernel; those after a matrix product do not count.
    const std::vector<Span> merges = of_rank(run, rank, SpanKind::merge);
    ASSERT_EQ(merges.size(), 2U);
    EXPECT_EQ(merges[0].name, "merge O");
    EXPECT_NEAR(merges[0].start_s, 611e-6, 1e-12);
  }
  // Per rank: products of 20 and 40 us, elementwise kernels of 3 and 5 us.
  EXPECT_NEAR(run.unmapped_s.at("sm90_xmma_gemm_bf16bf16_bf16f32"), 2 * 60e-6, 1e-12);
  double elementwise_s = 0;
  for (const auto& [name, seconds] : run.unmapped_s)
    elementwise_s += name.find("elementwise") != std::string::npos ? seconds : 0;
  EXPECT_NEAR(elementwise_s, 2 * 8e-6, 1e-12);
  EXPECT_THAT(run.notes, ElementsAre(HasSubstr("collectives took 0.00012 s over all ranks")));
}

TEST(ImportTrace, SpansAreInOrderOfTime) {
  const ImportedRun run = imported({example("trace-rank1.json"), example("trace-rank0.json")});
  for (std::size_t i = 1; i < run.spans.size(); ++i) EXPECT_LE(run.spans[i - 1].start_s, run.spans[i].start_s);
}

TEST(ImportTrace, APartOfTheJob) {
  const ImportedRun run = imported({example("trace-rank1.json")});
  EXPECT_EQ(run.ranks, 1);
  EXPECT_EQ(run.spans.front().rank, 1);
  EXPECT_THAT(run.notes, Contains("traces of 1 of the job's 2 ranks"));
}

TEST(ImportTrace, HelpersBelongToTheirBackwardKernel) {
  // Preparation 0..10, kernel 12..112, conversion of dQ 113..118; then a preparation whose kernel is missing.
  const ImportedRun run = imported({kernels({{"flash_bwd_dot_do_o_kernel", 0, 10},
                                             {"flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel", 12, 100},
                                             {"flash_bwd_convert_dq_kernel", 113, 5},
                                             {"vectorized_elementwise_kernel", 120, 7},
                                             {"flash_bwd_dot_do_o_kernel", 130, 10}})});
  const std::vector<Span> attention = of_rank(run, 0, SpanKind::attention);
  ASSERT_EQ(attention.size(), 1U);
  EXPECT_EQ(attention[0].name, "attend backward");
  EXPECT_NEAR(attention[0].start_s, 0, 1e-12);
  EXPECT_NEAR(attention[0].end_s, 118e-6, 1e-12);
  ASSERT_EQ(of_rank(run, 0, SpanKind::merge).size(), 1U);
  EXPECT_EQ(of_rank(run, 0, SpanKind::merge)[0].name, "add gradients");  // dQ or dK/dV: not known yet
  EXPECT_NEAR(run.unmapped_s.at("flash_bwd_dot_do_o_kernel"), 10e-6, 1e-12);
}

TEST(ImportTrace, ACompletionAfterAnotherKernelIsLeftOver) {
  const ImportedRun run =
      imported({kernels({{"_attn_bwd", 0, 10}, {"gemm", 11, 1}, {"flash_bwd_convert_dq_kernel", 13, 5}})});
  EXPECT_NEAR(run.spans.at(0).end_s, 10e-6, 1e-12);
  EXPECT_EQ(run.unmapped_s.count("flash_bwd_convert_dq_kernel"), 1U);
}

TEST(ImportTrace, SendsAndReceivesOfAnAllToAllAreNoHop) {
  // Expert parallelism sends its tokens by the same kernel; PyTorch says which collective it was.
  const std::string text = replaced(example("trace-rank0.json"), "\"Collective name\": \"coalesced\"",
                                    "\"Collective name\": \"all_to_allv\"");
  EXPECT_THAT(of_rank(imported({text}), 0, SpanKind::transfer), IsEmpty());
}

TEST(ImportTrace, PatternsOverrideTheTable) {
  TraceOptions options;
  options.patterns = {parse_name_pattern("^block=attention-forward"), parse_name_pattern("^kv hop=transfer")};
  // The example of a trace that another tool wrote: no category "kernel", so pid is the rank and tid the stream.
  const std::string text =
      R"([{"ph":"M","pid":4,"name":"process_name","args":{"name":"rank 0"}},
          {"ph":"X","pid":4,"tid":0,"ts":0.5,"dur":1690,"name":"block s0","cat":"compute"},
          {"ph":"X","pid":4,"tid":1,"ts":0.5,"dur":224,"name":"kv hop","cat":"comm","args":{"bytes":33554432}},
          {"ph":"B","pid":9,"tid":0,"ts":1980,"name":"block s1","cat":"compute"},
          {"ph":"C","pid":9,"tid":0,"ts":1980,"name":"memory"},
          {"ph":"E","pid":9,"tid":0,"ts":3670},
          {"ph":"B","pid":9,"tid":0,"ts":4000,"name":"block s2","cat":"compute"}])";
  const ImportedRun run = imported({text}, options);
  EXPECT_EQ(run.ranks, 2);
  ASSERT_EQ(run.spans.size(), 3U);
  EXPECT_EQ(run.spans[0].kind, SpanKind::attention);
  EXPECT_EQ(run.spans[0].rank, 0);  // pid 4 is the lower one
  EXPECT_EQ(run.spans[1].bytes, 33554432);
  EXPECT_EQ(run.spans[2].rank, 1);
  EXPECT_NEAR(run.spans[2].start_s, 1979.5e-6, 1e-12);
  EXPECT_NEAR(run.spans[2].end_s, 3669.5e-6, 1e-12);
  EXPECT_THAT(run.notes, Contains(HasSubstr("no event is marked as a GPU kernel")));
  EXPECT_THAT(run.notes, Contains(HasSubstr("1 events begin but never end")));
}

TEST(ImportTrace, DevicesOfOneProcessAreItsRanks) {
  const std::string text = R"({"traceEvents":[
    {"ph":"X","cat":"kernel","name":"_attn_fwd","ts":5,"dur":2,"args":{"device":6,"stream":7}},
    {"ph":"X","cat":"kernel","name":"_attn_fwd","ts":6,"dur":2,"args":{"device":2,"stream":7}},
    {"ph":"X","cat":"kernel","name":"gemm","ts":6,"dur":2,"args":{"device":1,"stream":7}}]})";
  const ImportedRun run = imported({text});
  EXPECT_EQ(run.ranks, 2);
  EXPECT_EQ(run.spans.at(0).rank, 1);  // device 6
  EXPECT_EQ(run.spans.at(1).rank, 0);  // device 2
  EXPECT_THAT(run.notes, Contains("r0.json: the trace does not say its rank; taken from its devices"));
}

TEST(ImportTrace, FilesWithoutARankAreRanksInTheirOrder) {
  const std::string text = kernels({{"_attn_fwd", 0, 10}});
  const ImportedRun run = imported({text, text});
  EXPECT_EQ(run.ranks, 2);
  EXPECT_THAT(run.notes, Contains("r1.json: the trace does not say its rank; taken from the order of the files"));
}

TEST(ImportTrace, RanksThatNeverMeetAreNoted) {
  const ImportedRun run = imported({kernels({{"_attn_fwd", 0, 10}}), kernels({{"_attn_fwd", 50, 10}})});
  EXPECT_THAT(run.notes, Contains(HasSubstr("one rank's trace ends before another's begins")));
}

TEST(ImportTrace, ErrorsNameThePath) {
  const std::string text = example("trace-rank0.json");
  EXPECT_THAT(error({"\x1F\x8B\x08..."}), HasSubstr("r0.json | the file is compressed (gzip) | unpack it with gunzip"));
  EXPECT_THAT(error({replaced(text, "\"dur\": 400.25, ", "")}), HasSubstr("r0.json: traceEvents[6] | dur is missing"));
  EXPECT_THAT(error({replaced(text, "400.25", "-1")}), HasSubstr("r0.json: traceEvents[6].dur | -1 is no time"));
  EXPECT_THAT(error({replaced(text, "400.25", "\"long\"")}), HasSubstr("traceEvents[6].dur | \"long\" is no number"));
  EXPECT_THAT(error({replaced(text, "\"ph\": \"M\", ", "")}), HasSubstr("traceEvents[0] | an event without ph"));
  EXPECT_THAT(error({text, text}), HasSubstr("r1.json | two traces are of rank 0: the other is r0.json"));
  EXPECT_THAT(error({text.substr(0, text.size() / 2)}), HasSubstr("not valid JSON | the text ends too early"));
  EXPECT_THAT(error({"{\"traceEvents\": [\n{\"ph\": \"X\",}]}"}), HasSubstr("r0.json:2:12 | not valid JSON"));
  EXPECT_THAT(error({"{\"kind\": 3}"}), HasSubstr("r0.json | the JSON is no trace"));
  EXPECT_THAT(error({kernels({{"gemm", 0, 1}})}),
              HasSubstr("no event of the trace is an attention kernel or a transfer"));
  EXPECT_THAT(error({text, replaced(example("trace-rank1.json"), "\"baseTimeNanoseconds\": 1760000000000005000,", "")}),
              HasSubstr("r1.json | some traces say what their times count from"));
  EXPECT_THAT(error({R"([{"ph":"E","pid":1,"tid":1,"ts":3}])"}),
              HasSubstr("r0.json: [0] | an event ends (E) that has not begun"));
  EXPECT_THAT(error({}), HasSubstr("no trace is given"));
}

TEST(ImportTrace, ATraceOfTheCpuAloneSaysWhatToRecord) {
  EXPECT_THAT(error({R"({"schemaVersion":1,"traceEvents":[
    {"ph":"X","cat":"cpu_op","name":"aten::_flash_attention_forward","pid":1,"tid":1,"ts":0,"dur":3}]})"}),
              HasSubstr("r0.json | the trace holds no GPU kernels | record with torch.profiler.ProfilerActivity.CUDA"));
}

TEST(ImportTrace, OtherArraysOfTheFileAreNoEvents) {
  // deviceProperties holds objects at the depth of events, and comes after them here.
  std::string text = kernels({{"_attn_fwd", 0, 10}});
  text.pop_back();
  const ImportedRun run = imported({text + R"(,"deviceProperties":[{"id":0,"name":"NVIDIA H100"}]})"});
  EXPECT_EQ(run.spans.size(), 1U);
  EXPECT_EQ(run.machine, "NVIDIA H100");
}

}  // namespace
}  // namespace ringsim::calibrate
