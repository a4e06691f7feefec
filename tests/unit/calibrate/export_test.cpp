// Samples written in the formats of nvbench and nccl-tests, and read back by the importers of those formats: nothing that
// an importer knows is lost on the way.
#include "calibrate/export/nccl_tests.hpp"
#include "calibrate/export/nvbench.hpp"
#include "calibrate/import/import.hpp"
#include "calibrate/statistics.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <bit>

namespace ringsim::calibrate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Made up: no GPU has taken these times. 7 samples a point, odd multiples of a base.
SampleSet samples_around(double base_s) {
  SampleSet set;
  for (const double factor : {1.01, 0.99, 1.003, 1.07, 0.995, 1.0, 1.002}) set.samples_s.push_back(factor * base_s);
  set.discarded["throttled"] = 3;
  return set;
}

template <class Point>
Benchmark benchmark(Point point, double base_s, std::string name) {
  const SampleSet set = samples_around(base_s);
  const MedianInterval interval = median_interval(set.samples_s);
  point.time = {interval.median, interval.low, interval.high, 7};
  point.source = std::move(name);
  return {point, {set}};
}

AttentionPoint attention(Pass pass, double rows, double columns, bool causal) {
  AttentionPoint p;
  p.pass = pass;
  p.shape = {rows, columns, causal ? rows * (rows + 1) / 2 : rows * columns, causal ? 1 : 0};
  p.heads = {1, 32, 8, 128, 128};
  return p;
}

AttentionVariantPoint variant(std::int64_t sms) {
  AttentionVariantPoint p;
  static_cast<AttentionPoint&>(p) = attention(Pass::forward, 4096, 4096, false);
  p.kernel = "sm90";
  p.multiprocessors = sms;
  return p;
}

Samples synthetic() {
  Samples s;
  s.provenance = {"cuda", "synthetic-gpu, 8 SMs", 1, "driver 13.0, NCCL 2.28.9", "2026-01-02T03:04:05Z", "abc", {}, 8};
  const RingShape shape{{1, 32, 8, 128, 128}, Dtype::bf16, GradientDtype::fp32};
  s.benchmarks = {benchmark(attention(Pass::forward, 4096, 2048, false), 1.25e-4, "fwd"),
                  benchmark(attention(Pass::backward, 1024, 1024, true), 3.1e-5, "bwd"),
                  benchmark(MergePoint{Accumulator::kv_gradient, true, 512, shape, {}, ""}, 7e-6, "merge"),
                  benchmark(GemmPoint{4096, 512, 64, Dtype::bf16, {}, ""}, 9e-6, "gemm"),
                  benchmark(StreamPoint{1 << 20, {}, ""}, 3e-7, "copy"),
                  benchmark(LaunchPoint{}, 2e-6, "launch"),
                  benchmark(variant(4), 2.5e-4, "variant"),
                  benchmark(TransferPoint{"paced-50-gb", 1 << 20, 1, {}, ""}, 2.1e-5, "1 MiB"),
                  benchmark(TransferPoint{"paced-50-gb", 1 << 24, 1, {}, ""}, 3.36e-4, "16 MiB"),
                  benchmark(TransferPoint{"nvlink4", 1 << 20, 4, {}, ""}, 5e-6, "1 MiB of 4")};
  return s;
}

void expect_same(const Timing& actual, const Timing& expected) {
  EXPECT_DOUBLE_EQ(actual.median_s, expected.median_s);
  EXPECT_DOUBLE_EQ(actual.low_s, expected.low_s);
  EXPECT_DOUBLE_EQ(actual.high_s, expected.high_s);
  EXPECT_EQ(actual.samples, expected.samples);
}

TEST(ExportNvbench, WhatTheImporterKnowsComesBack) {
  const Points before = points_of(synthetic());
  const Points after = import_points("k.json", write_nvbench(synthetic(), "k.json").json, {});
  ASSERT_EQ(after.attention.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    const AttentionPoint& a = after.attention[i];
    const AttentionPoint& b = before.attention[i];
    EXPECT_EQ(a.pass, b.pass);
    EXPECT_EQ(a.shape.rows, b.shape.rows);
    EXPECT_EQ(a.shape.columns, b.shape.columns);
    EXPECT_EQ(a.shape.entries, b.shape.entries);
    EXPECT_EQ(a.shape.edges, b.shape.edges);
    EXPECT_EQ(a.heads.query_heads, 32);
    EXPECT_EQ(a.heads.kv_heads, 8);
    EXPECT_EQ(a.heads.query_key_dim, b.heads.query_key_dim);
    EXPECT_EQ(a.heads.value_dim, b.heads.value_dim);
    EXPECT_EQ(a.dtype, b.dtype);
    expect_same(a.time, b.time);
  }
  ASSERT_EQ(after.merge.size(), 1U);
  EXPECT_EQ(after.merge[0].accumulator, Accumulator::kv_gradient);
  EXPECT_TRUE(after.merge[0].travelling);
  EXPECT_EQ(after.merge[0].tokens, 512);
  EXPECT_EQ(after.merge[0].shape.gradient, GradientDtype::fp32);
  expect_same(after.merge[0].time, before.merge[0].time);
  ASSERT_EQ(after.gemm.size(), 1U);
  EXPECT_EQ(after.gemm[0].m, 4096);
  EXPECT_EQ(after.gemm[0].n, 512);
  EXPECT_EQ(after.gemm[0].k, 64);
  expect_same(after.gemm[0].time, before.gemm[0].time);
  ASSERT_EQ(after.stream.size(), 1U);
  EXPECT_EQ(after.stream[0].bytes, 1 << 20);
  expect_same(after.stream[0].time, before.stream[0].time);
  ASSERT_EQ(after.launch.size(), 1U);
  expect_same(after.launch[0].time, before.launch[0].time);
  EXPECT_EQ(after.provenance.machine, "synthetic-gpu, 8 SMs");
  // The variant is in the file for people to see; it is no kernel that an import may take for the profile's.
  EXPECT_THAT(after.notes, ElementsAre(HasSubstr("the name ringsim.variant.forward tells no kernel that is known")));
}

TEST(ExportNvbench, SamplesAreFilesOfLittleEndianFloats) {
  const NvbenchFiles files = write_nvbench(synthetic(), "k.json");
  const auto root = nlohmann::json::parse(files.json);
  EXPECT_EQ(root.at("meta").at("version").at("json").at("string"), "1.0.0");
  // Seven benchmarks are kernels, each a state of its own with a file; three are transfers, which are left out.
  EXPECT_EQ(files.binaries.size(), 7U);
  const auto& state = root.at("benchmarks").at(0).at("states").at(0);
  std::string path;
  for (const auto& summary : state.at("summaries")) {
    if (summary.at("tag") != "nv/json/bin:nv/cold/sample_times") continue;
    EXPECT_EQ(summary.at("hint"), "file/sample_times");
    path = summary.at("data").at(0).at("value");
    EXPECT_EQ(summary.at("data").at(1).at("value"), "7");
  }
  const std::string& bytes = files.binaries.at(path);
  const std::vector<double> expected = samples_around(1.25e-4).samples_s;
  ASSERT_EQ(bytes.size(), 4 * expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < 4; ++b) {
      bits |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[4 * i + b])) << (8 * b);
    }
    EXPECT_EQ(std::bit_cast<float>(bits), static_cast<float>(expected[i]));
  }
}

TEST(ExportNvbench, RatesFollowFromTheMedian) {
  // 4·D FLOP a pair and head: 4 · 128 · 32 heads · 4096 · 2048 pairs; the median of the factors is 1.002.
  const double flop = 4.0 * 128 * 32 * 4096 * 2048;
  const auto root = nlohmann::json::parse(write_nvbench(synthetic(), "k.json").json);
  double rate = 0;
  for (const auto& summary : root.at("benchmarks").at(0).at("states").at(0).at("summaries")) {
    if (summary.at("tag") == "ring/flops_per_second") rate = std::stod(std::string(summary["data"][0]["value"]));
  }
  EXPECT_NEAR(rate, flop / (1.002 * 1.25e-4), 1e-9 * rate);
}

TEST(ExportNcclTests, EveryClassComesBackFromItsOwnFile) {
  const Points before = points_of(synthetic());
  const auto files = write_nccl_tests(synthetic(), "hops.json", {});
  ASSERT_EQ(files.size(), 2U);
  ImportOptions options;
  options.intra_class = "paced-50-gb";
  const Points paced = import_points("hops.json", files.at("hops.paced-50-gb.json"), options);
  ASSERT_EQ(paced.transfer.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(paced.transfer[i].link_class, "paced-50-gb");
    EXPECT_EQ(paced.transfer[i].bytes, before.transfer[i].bytes);
    EXPECT_EQ(paced.transfer[i].ranks, 1);
    expect_same(paced.transfer[i].time, before.transfer[i].time);
  }
  options.intra_class = "nvlink4";
  const Points linked = import_points("hops.json", files.at("hops.nvlink4.json"), options);
  ASSERT_EQ(linked.transfer.size(), 1U);
  EXPECT_EQ(linked.transfer[0].ranks, 4);
  expect_same(linked.transfer[0].time, before.transfer[2].time);
  EXPECT_EQ(linked.provenance.software, "nccl-tests, NCCL 2.28.9");
  EXPECT_EQ(linked.provenance.machine, "synthetic-gpu, 8 SMs");
}

TEST(ExportNcclTests, OfTheEnvironmentOnlyTheLibrariesVariablesAreWritten) {
  const NcclTestsOptions options{{"HOME=/root", "SECRET=x", "NCCL_MAX_CTAS=8", "CUDA_VISIBLE_DEVICES=0", "XNCCL_A=1"},
                                 "h"};
  for (const auto& [name, text] : write_nccl_tests(synthetic(), "hops.json", options)) {
    const auto env = nlohmann::json::parse(text).at("env");
    EXPECT_EQ(env, nlohmann::json({"NCCL_MAX_CTAS=8", "CUDA_VISIBLE_DEVICES=0"})) << name;
    EXPECT_EQ(text.find("SECRET"), std::string::npos);
  }
}

TEST(ExportNcclTests, WithoutSamplesTheMedianIsTheTime) {
  Samples samples = synthetic();
  samples.benchmarks = {samples.benchmarks.back()};
  samples.benchmarks[0].sets[0].samples_s.clear();
  ImportOptions options;
  options.intra_class = "nvlink4";
  const auto files = write_nccl_tests(samples, "hops.json", {});
  const Points back = import_points("hops.json", files.at("hops.json"), options);
  EXPECT_DOUBLE_EQ(back.transfer.at(0).time.median_s, 1.002 * 5e-6);
  EXPECT_EQ(back.transfer.at(0).time.samples, 1);
}

TEST(ExportNcclTests, NoHopsNoFile) {
  Samples samples = synthetic();
  samples.benchmarks.resize(3);
  EXPECT_TRUE(write_nccl_tests(samples, "hops.json", {}).empty());
}

}  // namespace
}  // namespace ringsim::calibrate
