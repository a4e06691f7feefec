// The samples file: what is written is read back, and what is wrong is refused with its place.
#include "calibrate/samples.hpp"

#include "calibrate/statistics.hpp"
#include "models/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace ringsim::calibrate {
namespace {

const std::vector<double> ten_samples{1.0, 1.1, 1.2, 1.3, 1.4,
                                      1.5, 1.6, 1.7, 1.8, 1.9};  // median 1.45, interval 1.1 ... 1.8

Timing ten() { return {1.45, 1.1, 1.8, 10}; }

// One benchmark of every kind.
Samples one_of_each() {
  const HeadShape heads{2, 8, 4, 64, 32};
  const RingShape shape{heads, Dtype::fp32, GradientDtype::fp64};
  const SampleSet set{ten_samples, {{"preempted", 2}}};
  Samples samples;
  samples.provenance = {"host", "some CPU", 2, "g++ 12, Open MPI", "2026-01-02T03:04:05Z", "0123abc", {}};
  samples.notes = {"a note"};
  samples.benchmarks = {
      {AttentionPoint{Pass::backward, {128, 64, 5000, 1}, heads, Dtype::fp32, ten(), "backward"}, {set}},
      {MergePoint{Accumulator::kv_gradient, true, 256, shape, ten(), "merge"}, {set}},
      {TransferPoint{"host-memory", 4096, 2, ten(), "hop"}, {set}},
      {GemmPoint{64, 32, 16, Dtype::fp64, ten(), "gemm"}, {set}},
      {StreamPoint{1e6, ten(), "copy"}, {set}},
      {InterferencePoint{TransferEngine::copy_engine, "host-memory", 1e6, ten(), ten(), ten(), ten(), "both"},
       {set, set, set, set}},
      {LaunchPoint{ten(), "launch"}, {{{}, {}}}}};  // of the last only the median is kept
  return samples;
}

TEST(Samples, AreReadAsTheyWereWritten) {
  const std::string text = write_samples(one_of_each());
  const Samples back = read_samples(text, "s.json");
  EXPECT_EQ(write_samples(back), text);
  ASSERT_EQ(back.benchmarks.size(), 7U);
  const auto& attention = std::get<AttentionPoint>(back.benchmarks[0].point);
  EXPECT_EQ(attention.pass, Pass::backward);
  EXPECT_EQ(attention.shape.rows, 128);
  EXPECT_EQ(attention.shape.columns, 64);
  EXPECT_EQ(attention.shape.entries, 5000);
  EXPECT_EQ(attention.shape.edges, 1);
  EXPECT_EQ(attention.heads.batch, 2);
  EXPECT_EQ(attention.heads.value_dim, 32);
  EXPECT_EQ(attention.dtype, Dtype::fp32);
  EXPECT_EQ(attention.time.samples, 10);
  EXPECT_EQ(back.benchmarks[0].sets[0].samples_s, ten_samples);
  const auto& merge = std::get<MergePoint>(back.benchmarks[1].point);
  EXPECT_TRUE(merge.travelling);
  EXPECT_EQ(merge.accumulator, Accumulator::kv_gradient);
  EXPECT_EQ(merge.shape.gradient, GradientDtype::fp64);
  EXPECT_EQ(std::get<InterferencePoint>(back.benchmarks[5].point).engine, TransferEngine::copy_engine);
}

TEST(Samples, BecomePointsWithTheDiscardedAddedUp) {
  const Points points = points_of(read_samples(write_samples(one_of_each()), "s.json"));
  EXPECT_EQ(points.attention.size(), 1U);
  EXPECT_EQ(points.merge.size(), 1U);
  EXPECT_EQ(points.transfer.at(0).link_class, "host-memory");
  EXPECT_EQ(points.gemm.at(0).k, 16);
  EXPECT_EQ(points.stream.at(0).bytes, 1e6);
  EXPECT_EQ(points.launch.at(0).time.median_s, 1.45);
  EXPECT_EQ(points.provenance.machine, "some CPU");
  EXPECT_EQ(points.notes, std::vector<std::string>{"a note"});
  // Two in each of five benchmarks with one time, and in each of the four times of the interference; none of the launch.
  EXPECT_EQ(points.provenance.discarded.at("preempted"), 2 * 5 + 2 * 4);
}

// What only GPUs have.
Samples of_a_gpu() {
  const SampleSet set{ten_samples, {{"throttled", 1}}};
  AttentionVariantPoint variant;
  variant.shape = {4096, 2048, 4096.0 * 2048, 0};
  variant.heads = {1, 32, 8, 128, 128};
  variant.time = ten();
  variant.source = "own kernel";
  variant.kernel = "sm90";
  variant.multiprocessors = 124;
  variant.merging = true;
  InterferencePoint beside{TransferEngine::sm_kernel, "paced-450-gb", 1e6, ten(), ten(), ten(), ten(), "both"};
  beside.pass = Pass::backward;
  beside.blocks = 8;
  beside.kernel_first = true;
  Samples samples;
  samples.provenance = {"cuda", "synthetic-gpu", 1, "", "", "", {}, 132};
  samples.benchmarks = {{variant, {set}},
                        {CopyPoint{TransferEngine::sm_kernel, 16, 4, 450e9, 1e6, ten(), "copy"}, {set}},
                        {OverheadPoint{Overhead::issue, ten(), "issue"}, {set}},
                        {beside, {set, set, set, set}}};
  return samples;
}

TEST(Samples, OfAGpuAreReadAsTheyWereWritten) {
  const std::string text = write_samples(of_a_gpu());
  const Samples back = read_samples(text, "s.json");
  EXPECT_EQ(write_samples(back), text);
  EXPECT_EQ(back.provenance.multiprocessors, 132);
  const Points points = points_of(back);
  EXPECT_TRUE(points.attention.empty());  // a variant is never taken for the profile's kernel
  EXPECT_EQ(points.variants.at(0).kernel, "sm90");
  EXPECT_EQ(points.variants.at(0).multiprocessors, 124);
  EXPECT_TRUE(points.variants.at(0).merging);
  EXPECT_FALSE(points.variants.at(0).warm);
  EXPECT_EQ(points.variants.at(0).shape.columns, 2048);
  EXPECT_EQ(points.copy.at(0).blocks, 16);
  EXPECT_EQ(points.copy.at(0).cluster, 4);
  EXPECT_EQ(points.copy.at(0).rate_bytes_per_s, 450e9);
  EXPECT_EQ(points.overhead.at(0).what, Overhead::issue);
  EXPECT_EQ(points.interference.at(0).pass, Pass::backward);
  EXPECT_EQ(points.interference.at(0).blocks, 8);
  EXPECT_TRUE(points.interference.at(0).kernel_first);
}

TEST(Samples, WhatOnlyGpusHaveMayBeLeftOut) {
  // The files of before there were GPUs: none of the keys is written where it says nothing, and none is missed.
  const std::string text = write_samples(one_of_each());
  for (const char* key : {"multiprocessors", "\"blocks\"", "kernel_first"})
    EXPECT_EQ(text.find(key), std::string::npos);
  const Points points = points_of(read_samples(text, "s.json"));
  EXPECT_EQ(points.interference.at(0).pass, std::nullopt);
  EXPECT_EQ(points.interference.at(0).blocks, 0);
  EXPECT_FALSE(points.interference.at(0).kernel_first);
  EXPECT_EQ(points.provenance.multiprocessors, 0);
}

struct Mistake {
  const char* pointer;  // JSON pointer to what is changed
  const char* value;    // JSON; empty: the key is removed
  const char* where;
  const char* message;  // part of it
};

class BadSamples : public testing::TestWithParam<Mistake> {};

TEST_P(BadSamples, AreRefusedWithTheirPlace) {
  const Mistake& mistake = GetParam();
  nlohmann::json json = nlohmann::json::parse(write_samples(one_of_each()));
  const nlohmann::json::json_pointer pointer(mistake.pointer);
  if (std::string_view(mistake.value).empty()) {
    json.at(pointer.parent_pointer()).erase(pointer.back());
  } else {
    json[pointer] = nlohmann::json::parse(mistake.value);
  }
  try {
    (void)read_samples(json.dump(), "s.json");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), mistake.where);
    EXPECT_NE(error.message().find(mistake.message), std::string::npos) << error.message();
    EXPECT_FALSE(error.hint().empty());
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each, BadSamples,
    testing::Values(
        Mistake{"/kind", "\"profile\"", "s.json: kind", "is \"profile\""},
        Mistake{"/schema_version", "2", "s.json: schema_version", "is 2"},
        Mistake{"/surplus", "1", "s.json", "\"surplus\""},
        Mistake{"/provenance/machine", "", "s.json: provenance", "\"machine\" is missing"},
        Mistake{"/provenance/ranks", "0", "s.json: provenance.ranks", "is 0"},
        Mistake{"/notes/0", "5", "s.json: notes[0]", "not a text"},
        Mistake{"/benchmarks/0/rows_tokens", "-4", "s.json: benchmarks[0].rows_tokens", "is -4"},
        Mistake{"/benchmarks/0/heads/kv_heads", "1.5", "s.json: benchmarks[0].heads.kv_heads", "is 1.5"},
        Mistake{"/benchmarks/0/dtype", "\"fp31\"", "s.json: benchmarks[0].dtype", "\"fp31\""},
        Mistake{"/benchmarks/1/travelling", "0", "s.json: benchmarks[1].travelling", "not true or false"},
        Mistake{"/benchmarks/2/bites", "5", "s.json: benchmarks[2]", "\"bites\""},
        Mistake{"/benchmarks/3/kind", "\"gemv\"", "s.json: benchmarks[3].kind", "\"gemv\""},
        Mistake{"/benchmarks/3/samples_s/4", "\"1\"", "s.json: benchmarks[3].samples_s[4]", "not a number"},
        Mistake{"/benchmarks/4/median_s", "1.5", "s.json: benchmarks[4].median_s", "the samples have 1.45 s"},
        Mistake{"/benchmarks/4/high_s", "1.4", "s.json: benchmarks[4]", "does not hold the median"},
        Mistake{"/benchmarks/5/kernel_beside/samples", "9", "s.json: benchmarks[5].kernel_beside.samples", "holds 10"},
        Mistake{"/benchmarks/5/transfer_alone", "", "s.json: benchmarks[5]", "\"transfer_alone\" is missing"},
        Mistake{"/benchmarks/6/discarded/mood", "-1", "s.json: benchmarks[6].discarded.mood", "is -1"}));

TEST(Samples, WhatIsNoJsonIsRefused) {
  try {
    (void)read_samples("{\"kind\": ", "s.json");
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "s.json");
    EXPECT_NE(error.message().find("no JSON"), std::string::npos);
  }
}

}  // namespace
}  // namespace ringsim::calibrate
