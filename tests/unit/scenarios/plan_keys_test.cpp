// Keys of `workload`, `parallel`, `ring`, `training`, `serving` and `price`.

#include "scenarios/format.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/unit/scenarios/support.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace ringsim::scenarios {
namespace {

using testing::error_of;
using testing::read_text;
using testing::resolved;
using testing::small_scenario;

TEST(PlanKeys, WhatIsNotWrittenIsAsInTheModels) {
  // A struct that is not read, as training in a prefill, must not differ from one that is read without a key.
  const Scenario train = read_text(small_scenario(), {"workload.phase=train"});
  const Training training;
  EXPECT_EQ(train.training.recompute, training.recompute);
  EXPECT_EQ(train.training.micro_batch, training.micro_batch);
  EXPECT_EQ(train.training.interleave, training.interleave);
  EXPECT_EQ(train.training.zero, training.zero);
  EXPECT_EQ(train.training.bucket, training.bucket);
  EXPECT_EQ(train.training.overlap, training.overlap);
  EXPECT_EQ(train.training.gradient_bytes, training.gradient_bytes);
  EXPECT_EQ(train.training.optimizer_bytes, training.optimizer_bytes);
  EXPECT_EQ(train.training.logits_chunk, training.logits_chunk);
  const Scenario prefill = read_text(small_scenario());
  const Serving serving;
  EXPECT_EQ(prefill.serving.kv_layout, serving.kv_layout);
  EXPECT_EQ(prefill.serving.page_tokens, serving.page_tokens);
  EXPECT_EQ(prefill.serving.decode, serving.decode);
  EXPECT_EQ(prefill.serving.memory_reserve, serving.memory_reserve);
  EXPECT_EQ(prefill.serving.fragmentation, serving.fragmentation);
  EXPECT_EQ(prefill.serving.communication_buffers, serving.communication_buffers);
  const RingOptions ring;
  EXPECT_EQ(prefill.ring.exchange, ring.exchange);
  EXPECT_EQ(prefill.ring.halves, ring.halves);
  EXPECT_EQ(prefill.ring.inner, ring.inner);
  EXPECT_EQ(prefill.ring.choose_travels, ring.choose_travels);
  EXPECT_EQ(prefill.workload.scope, Scope::attention);
  EXPECT_EQ(prefill.workload.cached, 0);
  EXPECT_EQ(prefill.workload.chunk, 0);
  EXPECT_FALSE(prefill.workload.documents);
  // Each phase shows the options that it has.
  EXPECT_TRUE(resolved(train, "training.zero") && resolved(prefill, "serving.page_tokens"));
  EXPECT_FALSE(resolved(prefill, "training.zero") || resolved(train, "serving.page_tokens"));
}

TEST(PlanKeys, ARingHasUpTo2To24Ranks) {
  const std::string text =
      "name: n\nmodel: llama3-8b\ncluster: {use: dgx-h100, nodes: 2097152}\nworkload: {phase: prefill, tokens: 512Mi}\n"
      "profile: datasheet\nparallel: {ring: ";
  EXPECT_EQ(read_text(text + "16777216}\n").parallel.ring, std::int64_t{1} << 24);
  const auto error = error_of([&] { read_text(text + "16777217}\n"); });
  ASSERT_TRUE(error);
  EXPECT_THAT(error->what(), ::testing::HasSubstr("16 million ranks"));
}

TEST(PlanKeys, EveryKeyIsReadAndReadsBack) {
  const std::string common = "name: n\nmodel: llama3-8b\ncluster: {use: dgx-h100, nodes: 4}\n";
  const Scenario train = read_text(common + R"(
workload: {phase: train, tokens: 64Ki, batch: 8, scope: model, documents: {counts: {4Ki: 4, 512: 96, 1K: 2}, alignment: 64}}
parallel: {tensor: 2, ring: 4, data: 2, expert: 1, expert_imbalance: 1.25, sequence_parallel: true}
ring: {travels: kv, exchange: both-ways, halves: tokens}
training: {recompute: selective, micro_batch: 2, interleave: 1, zero: 3, bucket: 100 MB, overlap: true,
           gradient_bytes: 2, optimizer_bytes: 6.5, logits_chunk: 4Ki}
price: {gpu_hour: 2.5, kilowatt_hour: 0.3}
)",
                                   {"training.overlap=false"});
  EXPECT_EQ(train.workload.scope, Scope::model);
  ASSERT_TRUE(train.workload.documents);
  EXPECT_EQ(*train.workload.documents, (Documents{{{4096, 4}, {512, 96}, {1000, 2}}, 64}));
  EXPECT_TRUE(train.parallel.sequence_parallel);
  EXPECT_EQ(train.parallel.load_imbalance, 1.25);
  EXPECT_EQ(train.ring.exchange, Exchange::both_ways);
  EXPECT_EQ(train.ring.halves, Halves::tokens);
  EXPECT_EQ(train.training.recompute, Recompute::selective);
  EXPECT_EQ(train.training.micro_batch, 2);
  EXPECT_EQ(train.training.zero, 3);
  EXPECT_EQ(train.training.bucket, bytes(1e8));
  EXPECT_FALSE(train.training.overlap);
  EXPECT_EQ(train.training.gradient_bytes, 2.0);
  EXPECT_EQ(train.training.optimizer_bytes, 6.5);
  EXPECT_EQ(train.training.logits_chunk, 4096);
  EXPECT_EQ(train.price_per_gpu_hour, 2.5);
  EXPECT_EQ(train.price_per_kilowatt_hour, 0.3);

  const Scenario decode = read_text(common + R"(
workload: {phase: decode, tokens: 64Ki, batch: 8, output_tokens: 1Ki, scope: model}
parallel: {tensor: 8, decode_context: 1}
serving: {kv_layout: fp8, page_tokens: 16, decode: ring, memory_reserve: 10%, fragmentation: 0.02,
          communication_buffers: 1 GiB}
price: {kilowatt_hour: 0.3}
)");
  EXPECT_EQ(decode.workload.phase, Phase::decode);
  EXPECT_EQ(decode.workload.output_tokens, 1024);
  EXPECT_EQ(decode.serving.kv_layout, "fp8");
  EXPECT_EQ(decode.serving.page_tokens, 16);
  EXPECT_EQ(decode.serving.decode, DecodeAttention::ring);
  EXPECT_EQ(decode.serving.memory_reserve, 0.1);
  EXPECT_EQ(decode.serving.fragmentation, 0.02);
  EXPECT_EQ(decode.serving.communication_buffers, bytes(1073741824));
  EXPECT_FALSE(decode.price_per_gpu_hour);

  const Scenario prefill = read_text(common + R"(
workload: {phase: prefill, tokens: 64Ki, cached: 128Ki, chunk: 16Ki, scope: model, documents: {lengths: [8Ki, 8Ki, 137, 8Ki]}}
parallel: {ring: 16}
ring: {exchange: two-level, inner: 8}
)");
  EXPECT_EQ(prefill.workload.cached, 131072);
  EXPECT_EQ(prefill.workload.chunk, 16384);
  // Neighbours of one length are one entry; the order stays.
  EXPECT_EQ(*prefill.workload.documents, (Documents{{{8192, 2}, {137, 1}, {8192, 1}}, 0}));
  EXPECT_EQ(prefill.ring.exchange, Exchange::two_level);
  EXPECT_EQ(prefill.ring.inner, 8);

  for (const Scenario* written : {&train, &decode, &prefill}) {
    const Scenario again = read_text(format_scenario(*written, Origins::as_comments));
    EXPECT_EQ(again.hash, written->hash) << format_scenario(*written);
    EXPECT_EQ(again.workload.documents, written->workload.documents);
    EXPECT_EQ(again.training.bucket, written->training.bucket);
    EXPECT_EQ(again.serving.communication_buffers, written->serving.communication_buffers);
  }
}

TEST(PlanKeys, KeysThatTheLanguageWasGivenLaterLeaveOldHashesAlone) {
  // The hashes of this text, in two phases, before the language knew exchanges, training and serving. Nothing of it comes from
  // the library, whose entries may get better.
  const std::string text = R"(
name: inline
model: {layers: 2, hidden: 64, heads: 4, kv_heads: 2, head_dim: 16}
workload: {phase: prefill, tokens: 64, batch: 2}
cluster:
  gpu: {bf16: 100 TFLOP/s, memory: 10 GB, memory_bandwidth: 1 TB/s}
  nodes: 1
  gpus_per_node: 8
  intra_node: {class: a, bandwidth: 10 GB/s, latency: 1 us}
parallel: {ring: 4, data: 2}
profile: datasheet
price: {gpu_hour: 2.50}
)";
  EXPECT_EQ(read_text(text).hash, "59f43674591f9b0a");
  EXPECT_EQ(read_text(text, {"workload.phase=train"}).hash, "4fa25bb46549ed74");
  const Scenario s = read_text(small_scenario());
  // Writing a default down changes nothing, writing anything else does.
  EXPECT_EQ(s.hash, read_text(small_scenario("ring: {exchange: one-way}\nserving: {memory_reserve: 0}\n")).hash);
  EXPECT_EQ(s.hash, read_text(small_scenario(), {"parallel.expert=1", "workload.cached=0"}).hash);
  std::vector<std::string> hashes{s.hash};
  for (const char* set : {"ring.exchange=all-gather", "ring.exchange=both-ways", "serving.page_tokens=16",
                          "serving.memory_reserve=10%", "workload.cached=16Ki", "workload.scope=model",
                          "workload.documents={lengths: [1Ki]}", "workload.documents={lengths: [1Ki, 1Ki]}",
                          "workload.documents={counts: {1Ki: 2}}", "price={kilowatt_hour: 1}"}) {
    hashes.push_back(read_text(small_scenario(), {set}).hash);
  }
  hashes.push_back(read_text(small_scenario(), {"workload.scope=model", "workload.chunk=4Ki"}).hash);
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
}

TEST(PlanKeys, NamesOfOtherToolsLeadToTheKey) {
  struct Case {
    const char* set;
    const char* hint;
  };
  for (const Case& c :
       {Case{"parallel.ep=8", "expert: 8"}, Case{"parallel.dcp=8", "decode_context: 8"},
        Case{"parallel.decode_cp=8", "decode_context: 8"}, Case{"parallel.prefill_cp=4", "ring: 8"},
        Case{"parallel.sp=2", "ring: 8, ulysses: 8, or sequence_parallel: true"},
        Case{"parallel.fsdp=8", "training: {zero: 3}"}, Case{"training.fsdp=true", "zero: 3"},
        Case{"ring.exchange=a2a", "parallel: {ulysses: 8}"}, Case{"ring.exchange=bidirectional", "exchange: both-ways"},
        Case{"ring.exchange=allgather", "did you mean all-gather?"}, Case{"ring.travels=pass-q", "travels: q"},
        Case{"serving.gpu_memory_utilization=0.9", "memory_reserve: 10%"},
        Case{"workload.phase=training", "phase: train"}}) {
    const auto error = error_of([&] { static_cast<void>(read_text(small_scenario(), {c.set})); });
    ASSERT_TRUE(error) << c.set;
    EXPECT_EQ(error->hint(), c.hint) << c.set << ": " << error->message();
    EXPECT_EQ(error->where().substr(0, 6), "--set ");
  }
}

TEST(PlanKeys, KeysHaveAPlaceInSomePhasesOnly) {
  const auto cached =
      error_of([] { static_cast<void>(read_text(small_scenario(), {"workload.phase=train", "workload.cached=1Ki"})); });
  ASSERT_TRUE(cached);
  EXPECT_EQ(cached->message(), "workload.cached has no place where phase is train");
  EXPECT_EQ(cached->hint(), "it belongs to phase prefill");
  const auto output = error_of([] { static_cast<void>(read_text(small_scenario(), {"workload.output_tokens=9"})); });
  ASSERT_TRUE(output);
  EXPECT_EQ(output->hint(), "it belongs to phase decode");
  const auto inner = error_of([] { static_cast<void>(read_text(small_scenario("ring: {inner: 4}\n"))); });
  ASSERT_TRUE(inner);
  EXPECT_EQ(inner->where(), "test.yaml:6:8");
  EXPECT_EQ(inner->hint(), "it belongs to exchange two-level");
  EXPECT_TRUE(error_of([] { static_cast<void>(read_text(small_scenario("ring: {halves: heads}\n"))); }));
  // Training options are no mistake in a prefill, which may be a --set away from a training step; but they say nothing there.
  EXPECT_EQ(read_text(small_scenario("training: {zero: 3}\n")).warnings,
            std::vector<std::string>{"training has no effect on phase prefill"});
}

TEST(PlanKeys, DocumentsFromFiles) {
  const TemporaryFolder folder;
  const auto documents = [&](const std::string& content) {
    std::ofstream(folder.path() / "lengths.csv", std::ios::binary) << content;
    return read_scenario_text(small_scenario(), "test.yaml", folder.path().string(),
                              {"workload.tokens=1Mi", "workload.documents={file: lengths.csv}"})
        .workload.documents;
  };
  EXPECT_EQ(documents("1024\n\n137 # the short one\r\n8Ki\n"), (Documents{{{1024, 1}, {137, 1}, {8192, 1}}, 0}));
  EXPECT_EQ(documents("length,count\n8192, 12\n137,4000\n"), (Documents{{{8192, 12}, {137, 4000}}, 0}));
  struct Case {
    const char* content;
    const char* place;
    const char* message;
  };
  const std::string file = (folder.path() / "lengths.csv").string();
  for (const Case& c :
       {Case{"length\n1024\nten\n", ":3:1", "ten is not a whole number"}, Case{"1024\n0\n", ":2:1", "too small"},
        Case{"8192,1\n137\n", ":2:1", "some lines have counts"}, Case{"8Ki,1\n8192,2\n", ":2:1", "a second time"},
        Case{"# nothing\n", "", "holds no lengths"}}) {
    const auto error = error_of([&] { static_cast<void>(documents(c.content)); });
    ASSERT_TRUE(error) << c.content;
    EXPECT_EQ(error->where(), file + c.place) << c.content;
    EXPECT_NE(error->message().find(c.message), std::string::npos) << error->message();
  }
}

TEST(PlanKeys, DocumentsAreSaidOnce) {
  for (const auto& [documents, message] :
       {std::pair{"{lengths: [8], counts: {8: 1}}", "says twice"},
        std::pair{"{counts: {8Ki: 1, 8192: 1}}", "a second time"}, std::pair{"{counts: {eight: 1}}", "eight is no"},
        std::pair{"{counts: {8: none}}", "none is no"}, std::pair{"{counts: {}}", "empty"},
        std::pair{"{lengths: []}", "empty"}, std::pair{"{lengths: [0]}", "too small"},
        std::pair{"{alignment: 8}", "none of lengths, counts"}, std::pair{"{file: none.csv}", "cannot be read"}}) {
    const auto error = error_of([d = documents] {
      static_cast<void>(read_text(
          "name: n\nmodel: llama3-8b\ncluster: dgx-h100\nworkload:\n  tokens: 16Ki\n  documents: " + std::string(d) +
          "\n"));
    });
    ASSERT_TRUE(error) << documents;
    EXPECT_EQ(error->where().rfind("test.yaml:6:", 0), 0U) << documents << " " << error->where();
    EXPECT_NE(error->message().find(message), std::string::npos) << error->message();
  }
}

}  // namespace
}  // namespace ringsim::scenarios
